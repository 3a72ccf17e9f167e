"""Flock. README.md cites the rulebook."""

from ...game import Game
from . import kinds, rules, state
from .parameters import PRESET_LINES, PRESETS, FlockParameters
from .words import CHARTS, COUNTER_GROUPS, COUNTER_WORDS, FlockWords

GAME = Game(
    name="flock",
    title="Flock",
    version=1,
    seats=(2, 5),
    state=state.State,
    rules=FlockParameters.dtype(),
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    standings=rules.standings,
    redeal=rules.redeal,
    kinds=kinds.kinds,
    action_kinds=kinds.ACTION_KINDS,
    parameters=FlockParameters,
    decisions=("act", "perform", "dominance", "send_home", "upkeep", "give_up", "relocate"),
    counters=state.COUNTERS,
    words=FlockWords(),
    presets=PRESETS,
    preset_lines=PRESET_LINES,
    score_word="VP",
    standing_word="VP",
    counter_words=COUNTER_WORDS,
    counter_groups=COUNTER_GROUPS,
    charts=CHARTS,
    seat_counters=("initiative",),
    uses=tuple(f"activated_{card}" for card in state.CARDS),
    rulings=("deadlock",),
    provenance="the second side of the Competition card is not known; its numbers are taken to be those of the first "
    "(competition_thresholds, by number of players)",
)
