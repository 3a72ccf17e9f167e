"""The report's sections, in the order in which a designer asks."""

from __future__ import annotations

from flocksim.analysis.tables import Results

from .arc import arc_section
from .charts import charts_sections
from .comparisons import variants_section
from .counters import counters_section
from .length import endings_section, length_section
from .luck import luck_section
from .metagame import metagame_section
from .parts import Section
from .players import seats_section, solo_section, strategies_section
from .robustness import robustness_section
from .verdicts import verdicts_section
from .wins import uses_section, wins_section, worth_section


def sections(results: Results) -> list[Section]:
    """The report's sections, in order; a question that the study does not ask is left out.

    A section is made by a function of the result tables, which gives None where there is nothing to tell, and is a
    line of this list. The page's beginning and end (answer, verdicts; caveats, glossary, rerun) are render.py's.
    """
    made: list[Section | None] = [
        verdicts_section(results),
        # what changed
        variants_section(results),
        # who wins
        seats_section(results),
        strategies_section(results),
        metagame_section(results),
        solo_section(results),
        # the arc of a game
        arc_section(results),
        # length and endings
        length_section(results),
        endings_section(results),
        # cards, species, actions: what the game itself has to tell, then uses and restricted play
        wins_section(results),
        *charts_sections(results),
        counters_section(results),
        uses_section(results),
        worth_section(results),
        luck_section(results),
        robustness_section(results),
    ]
    return [section for section in made if section]
