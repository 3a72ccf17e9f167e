"""Flockers. README.md cites the rulebook."""

from ...game import Game
from . import kinds, rules, state
from .parameters import FlockersParameters
from .telling import CHARTS, COUNTER_GROUPS, COUNTER_WORDS, USES, WIN_KINDS
from .words import FlockersWords

GAME = Game(
    name="flockers",
    title="Flockers",
    version=1,
    seats=(1, 4),
    state=state.State,
    rules=FlockersParameters.dtype(),
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    standings=rules.standings,
    redeal=rules.redeal,
    kinds=kinds.kinds,
    action_kinds=kinds.ACTION_KINDS,
    parameters=FlockersParameters,
    decisions=(
        "play",
        "act",
        "fly",
        "navigate",
        "graze",
        "swap",
        "slide",
        "north_wind",
        "decoy",
        "fox",
        "replenish",
    ),
    counters=state.COUNTERS,
    words=FlockersWords(FlockersParameters.build(2)),
    standing_word="cards of the path",
    words_for=FlockersWords,
    counter_words=COUNTER_WORDS,
    counter_groups=COUNTER_GROUPS,
    charts=CHARTS,
    seat_counters=("triggered_end",),
    uses=USES,
    win_kinds=WIN_KINDS,
    provenance="the shipped decks (`reconstructed`) are not those of the printed game, whose cards "
    "are not known; a config can name other files (flock_cards, terrain_cards)",
)
