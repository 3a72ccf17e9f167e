"""`flocksim play`: a person at the table, against bots."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from flocksim import interrupts
from flocksim.simulate.errors import LONGEST_WORD, FlocksimError, one_line
from flocksim.simulate.plurals import counted
from flocksim.simulate.scalars import as_int

from . import options
from .output import say

if TYPE_CHECKING:
    from flocksim.simulate.bots import Team
    from flocksim.simulate.table import Decision, Table

HUMAN = "human"
HELP = "A number chooses. ? shows the table again, q ends the game."


@click.command()
@click.argument("game")
@options.players_option
@click.option("--seat", type=options.Whole(1, 99), default=1, show_default=True, metavar="K", help="Where you sit.")
@options.rule_options
@options.strategies_option
@click.option(
    "--seed",
    type=options.Whole(0, options.BIGGEST_SEED),
    default=None,
    metavar="S",
    help="For the same cards and opponents again; another one each time if not given.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FILE",
    help="Where the game is written down, as by `flocksim trace`; results/play-GAME-S.jsonl if not given.",
)
def play(
    game: str,
    players: int | None,
    seat: int,
    presets: tuple[str, ...],
    settings: tuple[str, ...],
    strategies: str | None,
    seed: int | None,
    out: Path | None,
) -> None:
    """Play a game yourself, against bots, seeing what your seat sees.

    Choices are listed by number; there is no way back. The game is written down like a trace, so that it can be read
    and refereed.

    Example: flocksim play flock-together --players 3 --strategies rusher,hoarder
    """
    from flocksim.simulate.bots import Team, line_ups
    from flocksim.simulate.table import Table

    loaded = options.load_game(game)
    count = options.choose_players(loaded, players)
    if seat > count:
        raise FlocksimError(f"--seat: {seat} is not allowed; allowed: 1 to {count}")
    rules = options.read_rules(loaded, count, presets, settings)
    bots = options.read_strategies(loaded, strategies)
    seed = secrets.randbelow(2**31) if seed is None else seed
    seated = line_ups(seed, count - 1, 0, 1, len(bots))[0].tolist()
    seated.insert(seat - 1, 0)  # the person, whom no bot stands for
    path = out or Path("results") / f"play-{loaded.name}-{seed}.jsonl"
    with _opened(path) as file, interrupts.telling(f"you left; the game so far is in {path}", lambda: None):
        session = _Session(Table(loaded, rules, count), seat, Team(loaded, bots), seated, file)
        over = session.play(rules.model_dump(), seed)
    say(f"{'The game' if over else 'You left; the game so far'} is in {path}")


def _opened(path: Path) -> TextIO:
    if path.is_dir():
        raise FlocksimError(f"--out: '{path}' is a folder; a file is wanted")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("w", encoding="utf-8")


class _Left(Exception):
    """The player has had enough."""


class _Session:
    """One game: what the player is shown and asked, and what is written down."""

    def __init__(self, table: Table, seat: int, team: Team, seated: list[int], file: TextIO) -> None:
        self.table, self.seat, self.team, self.seated, self.file = table, seat, team, seated, file
        self.words = table.words
        self.told_turn = self.shown_turn = 0

    def play(self, rules: Mapping[str, Any], seed: int) -> bool:
        """Play to the end, or until the player leaves. Returns whether the game is over."""
        from flocksim.simulate.trace import decision_line, end_line, header_line

        seats = [(HUMAN, 0.0) if seat == self.seat else self._bot(seat) for seat in range(1, self.table.players + 1)]
        self._write(header_line(self.table, seats, rules, seed, 0))
        self._open(seats, seed)
        chance = self.table.deal(seed)
        self._write({"type": "setup", "chance": chance, "state": self.table.state()})
        try:
            while not self.table.over:
                decision = self._decide()
                self._write(decision_line(decision))
        except _Left:
            return False
        end = end_line(self.table)
        self._write(end)
        self._close(end)
        return True

    def _bot(self, seat: int) -> tuple[str, float]:
        strategy = self.team.strategies[self.seated[seat - 1]]
        return strategy.name, strategy.noise

    def _write(self, line: Mapping[str, Any]) -> None:
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    # --- decisions ---

    def _decide(self) -> Decision:
        before = self.table.state()
        seat = self.table.to_move
        assert seat is not None
        self._tell_turn(seat)
        if seat != self.seat:
            choice = self.table.choose(self.team, self.seated[seat - 1])
        else:
            choice = self._ask() if len(self.table.legal_codes()) > 1 else 0
        decision = self.table.decide(choice)
        self._tell(decision, before)
        return decision

    def _tell_turn(self, seat: int) -> None:
        if self.table.turn != self.told_turn:
            self.told_turn = self.table.turn
            say(f"\nTurn {self.table.turn}, round {self.table.round}: {self._called(seat)}")

    def _called(self, seat: int) -> str:
        return f"seat {seat} (you)" if seat == self.seat else f"seat {seat}"

    def _show(self) -> None:
        self.shown_turn = self.table.turn
        for line in self.words.table(self.table.seen(self.seat)):
            say(f"    {line}")

    def _ask(self) -> int:
        """The index that the player picks."""
        actions = self.table.legal()
        if self.shown_turn != self.table.turn:
            self._show()
        self._list(actions)
        while True:
            say(f"{self.table.decision}, 1 to {len(actions)}: ", nl=False)
            answer = sys.stdin.readline()
            word = answer.strip()
            if not answer or word.lower() in ("q", "quit"):
                say("")
                raise _Left
            number = as_int(word)
            if number is not None and 1 <= number <= len(actions):
                return number - 1
            if word == "?":
                self._show()
                self._list(actions)
            else:
                say(f"'{one_line(word, LONGEST_WORD)}' is not one of 1 to {len(actions)}. {HELP}")

    def _list(self, actions: list[dict[str, Any]]) -> None:
        for number, action in enumerate(actions, 1):
            say(f"  {number:3} {self.words.sentence(action)}")

    # --- telling ---

    def _open(self, seats: list[tuple[str, float]], seed: int) -> None:
        game = self.table.game
        who = [f"seat {seat} {'you' if seat == self.seat else name}" for seat, (name, _) in enumerate(seats, 1)]
        say(f"{game.title}, {counted(len(who), 'players')}: {', '.join(who)}; seed {seed}")
        if game.provenance:
            say(f"Reconstructed: {game.provenance}")
        say(HELP)

    def _tell(self, decision: Decision, before: Mapping[str, Any]) -> None:
        """What somebody did and what came of it, as far as the player sees it."""
        seat = decision.seat
        who = "you:" if seat == self.seat else self.words.decider(seat, before) or f"seat {seat}"
        extra = self.words.consequence(decision.chosen, seat, before, decision.state)
        say(f"  {' '.join(part for part in (who, self.words.sentence(decision.chosen), extra) if part)}")
        heard = [self.words.heard(event, self.seat - 1, seat - 1) for event in decision.chance]
        if heard:
            say(f"    chance: {'; '.join(self.words.chance_sentence(event) for event in heard)}")
        for line in self.words.aftermath(before, decision.state):
            say(f"    {line}")

    def _close(self, end: Mapping[str, Any]) -> None:
        game = self.table.game
        say("")
        self._show()
        say(f"End: {end['end_reason']} after {counted(end['turns'], 'turns')}")
        for place in end["ranking"]:
            share = f", win share {place['win_share']:g}" if place["win_share"] else ""
            score = counted(place["score"], game.score_word)
            say(f"  rank {place['rank']}: {self._called(place['seat'])}, {score}{share}")
