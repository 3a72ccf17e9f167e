"""What a game is to the rest of flocksim. docs/adding-a-game.md is the checklist that goes with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from .compiled import kernel
from .errors import FlocksimError, unknown
from .parameters import Parameters

UNSEEN = "?"


class Words(Protocol):
    """Translates between a game's codes and its rulebook's words, for traces, tests and notebooks."""

    def action(self, code: int, state: Any) -> dict[str, Any]:
        """An action code in words."""

    def code(self, action: Mapping[str, Any]) -> int:
        """The code of an action in words (the inverse of `action`)."""

    def event(self, code: int) -> dict[str, Any]:
        """Something that chance did, in words."""

    def state(self, state: Any, rules: Any) -> dict[str, Any]:
        """Everything on the table except whose move it is, hidden things included."""

    def seen(self, state: Any, rules: Any, seat: int) -> dict[str, Any]:
        """`state` as a seat (from 0) sees it: UNSEEN in place of what it does not."""

    def heard(self, event: Mapping[str, Any], seat: int, actor: int) -> dict[str, Any]:
        """An event of another's or the own action, as a seat (from 0) sees it: UNSEEN in place of what it does not."""

    def place(self, state: Any, rules: Any, words: Mapping[str, Any]) -> None:
        """Put a position, in the words of `state`, into the record."""

    def decider(self, seat: int, before: Mapping[str, Any]) -> str:
        """Who decides, e.g. 'seat 3', where a reader could take it for another; else nothing."""

    def sentence(self, action: Mapping[str, Any]) -> str:
        """An action as a phrase for a readable playthrough, e.g. 'plays 3-4 at the left of row 2'."""

    def consequence(
        self, action: Mapping[str, Any], seat: int, before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> str:
        """What else an action of `seat` did between two states in words, or nothing, for a playthrough."""

    def aftermath(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
        """Lines on what a decision set off beyond its own effect, such as the scoring of a round, mostly none."""

    def chance_sentence(self, event: Mapping[str, Any]) -> str:
        """An event as a phrase for a readable playthrough."""

    def table(self, state: Mapping[str, Any]) -> list[str]:
        """Lines that show a state in words to a reader."""


@dataclass(frozen=True)
class BoardMap:
    """A counter whose values above zero name something with a place, for a map over the board (Parameters.board)."""

    counter: str
    title: str
    what: str  # what the values name, in the plural
    covers: Callable[[Any, int], Mapping[int, tuple[str, ...]]]  # by rules and players: value -> places


@dataclass(frozen=True)
class Chart:
    """Counters that a game offers for a section of the report: what a player has of each, in a figure and a table."""

    key: str  # names the section's files and links
    title: str
    unit: str  # what is counted, in the plural: 'cards'
    counters: Mapping[str, str]  # counter -> what it is called in this chart


@kernel
def no_kinds(s, rules, action):
    """Of a game that tells no kinds of action apart."""
    return np.int64(0)


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its compiled functions, its parameters and its words.

    The functions have fixed signatures over records `s` (dtype `state`), `r` (dtype `rules`) and `c`
    (layout.Choices):

    - setup(s, r): the header's `players` and `streams` are filled in; set everything else up.
    - legal(s, r, c): list the codes of the legal actions, at least one.
    - apply(s, r, action): play one; move on to the next decision or set `end_reason`.
    - score(s, r): at the end, fill `score`, `standing` (what ranks the seats) and `counters`.
    - standings(s, r, now): put into `now[seat]` how far each seat is at the moment, more is better; it changes
      nothing else. `standing_word` says in what.
    - redeal(s, r, seat): re-deal from the stream REDEAL whatever `seat` cannot see.
    - kinds(s, r, action): which of `action_kinds` a legal action is, as bits in their order; it changes nothing.
    """

    name: str
    title: str
    version: int  # goes up when a change makes the same seed play another game
    seats: tuple[int, int]  # fewest and most players
    state: np.dtype
    rules: np.dtype
    setup: Callable[..., None]
    legal: Callable[..., None]
    apply: Callable[..., None]
    score: Callable[..., None]
    standings: Callable[..., None]
    redeal: Callable[..., None]
    parameters: type[Parameters]
    decisions: tuple[str, ...]  # kinds of decision, in words
    counters: tuple[str, ...]  # names of the counters per seat, columns of `seats`
    words: Words  # by the standard rules
    words_for: Callable[[Any], Words] | None = None  # by other rules, where these give names, e.g. to a deck's cards
    kinds: Callable[..., int] = no_kinds
    action_kinds: Mapping[str, str] = field(default_factory=dict)  # what a strategy can be kept from -> one line
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # printed variants
    preset_lines: Mapping[str, str] = field(default_factory=dict)  # one line of explanation each
    score_word: str = "points"
    scored: bool = True  # whether scores tell by how much a game is won, and not only who has won it
    standing_word: str = "points"
    counter_words: Mapping[str, str] = field(default_factory=dict)  # counters as a reader calls them
    seat_counters: tuple[str, ...] = ()  # counters that reports also show seat by seat, beside the score
    counter_groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # title -> counters shown together
    uses: tuple[str, ...] = ()  # counters of what a player can use, which reports hold against winning
    win_kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # title -> counters: 1 for who won so
    board_map: BoardMap | None = None
    charts: tuple[Chart, ...] = ()  # sections of the report that only this game has
    rulings: tuple[str, ...] = ()  # rule parameters that reports always name, for their influence
    provenance: str = ""  # what was reconstructed, if anything

    def __reduce__(self) -> tuple[Any, ...]:
        """Games travel to worker processes by name: their record types do not pickle."""
        from .games import load_game

        return load_game, (self.name,)

    def words_under(self, rules: Parameters) -> Words:
        """The words in which these rules speak."""
        return self.words_for(rules) if self.words_for else self.words

    def kind_bits(self, names: Iterable[str]) -> int:
        """These kinds of action as bits; raises FlocksimError for one that the game does not have."""
        known = list(self.action_kinds)
        for name in names:
            if name not in known:
                raise FlocksimError(unknown("kind of action", name, known))
        return sum(1 << known.index(name) for name in dict.fromkeys(names))

    def check_players(self, players: int) -> None:
        low, high = self.seats
        if not low <= players <= high:
            raise FlocksimError(f"{self.name} takes {low} to {high} players, not {players}")
