"""Flock Together, the flagship game. README.md cites the rulebook."""

from ...game import Game
from . import kinds, rules
from .parameters import PRESET_LINES, PRESETS, FlockTogetherParameters
from .words import CHARTS, COUNTER_GROUPS, COUNTER_WORDS, FlockTogetherWords

GAME = Game(
    name="flock-together",
    title="Flock Together",
    version=1,
    seats=(2, 5),
    state=rules.State,
    rules=FlockTogetherParameters.dtype(),
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    standings=rules.standings,
    redeal=rules.redeal,
    kinds=kinds.kinds,
    action_kinds=kinds.ACTION_KINDS,
    parameters=FlockTogetherParameters,
    decisions=("play", "draw", "fly"),
    counters=rules.COUNTERS,
    words=FlockTogetherWords(),
    presets=PRESETS,
    preset_lines=PRESET_LINES,
    score_word="cards in the collection",
    standing_word="cards towards the nearer win",
    counter_words=COUNTER_WORDS,
    counter_groups=COUNTER_GROUPS,
    charts=CHARTS,
    uses=("small_flights", "big_flights", "rounds_ended", *rules.COUNTERS[rules.COLLECTED :]),
    rulings=("draw_before_empty_check",),
)
