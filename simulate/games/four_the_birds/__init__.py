"""4 the Birds. README.md cites the rulebook."""

from ...game import BoardMap, Game
from . import flocks, kinds, rules, set_up, state
from .board import flock_places
from .parameters import PRESET_LINES, PRESETS, FourTheBirdsParameters
from .prose import CHARTS, COUNTER_GROUPS, COUNTER_WORDS, USES, WIN_KINDS, FourTheBirdsWords

GAME = Game(
    name="4-the-birds",
    title="4 the Birds",
    version=1,
    seats=(2, 6),
    state=state.State,
    rules=FourTheBirdsParameters.dtype(),
    setup=set_up.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    standings=flocks.standings,
    redeal=rules.redeal,
    kinds=kinds.kinds,
    action_kinds=kinds.ACTION_KINDS,
    parameters=FourTheBirdsParameters,
    decisions=state.DECISIONS,
    counters=state.COUNTERS,
    words=FourTheBirdsWords(),
    presets=PRESETS,
    preset_lines=PRESET_LINES,
    score_word="wins",
    scored=False,
    standing_word="birds in one square or line",
    counter_words=COUNTER_WORDS,
    counter_groups=COUNTER_GROUPS,
    charts=CHARTS,
    uses=USES,
    win_kinds=WIN_KINDS,
    board_map=BoardMap("flock_at", "Where flocks are completed", "flocks", flock_places),
    rulings=("win_check",),
    provenance="which branches and red dots the tree has is not known; the board is drawn like a checkerboard "
    "(branch_layout), and the number of tokens is taken from a review (tokens)",
)
