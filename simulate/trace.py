"""Writes one game down, decision by decision, so that somebody with only the rulebook can referee it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import driver
from .bots import Strategy, Team, line_ups
from .game import Game
from .parameters import Parameters
from .table import Table


def trace_game(
    game: Game,
    rules: Parameters,
    players: int,
    strategies: Sequence[Strategy],
    seed: int,
    index: int = 0,
) -> Iterator[dict[str, Any]]:
    """Yield the lines of game `index` of a study with these strategies and seed, as dicts.

    The same game as row `game = index` of a study's cell with these rules, strategies (in this order), players
    and seed: same decisions, same digest. Lines: header, setup, one per decision, end.
    """
    block, rotation = divmod(index, players)
    table = Table(game, rules, players)
    members = line_ups(seed, players, block, 1, len(strategies))[0].tolist()
    seated = [members[(seat + rotation) % players] for seat in range(players)]
    yield {
        "type": "header",
        "game": game.name,
        "game_version": game.version,
        "players": players,
        "seats": [
            {"seat": seat, "strategy": strategies[who].name, "noise": strategies[who].noise}
            for seat, who in enumerate(seated, 1)
        ],
        "seed": seed,
        "index": index,
        "block": block,
        "rotation": rotation,
        "rules": rules.model_dump(),
        "provenance": game.provenance,
    }
    yield {"type": "setup", "chance": table.deal(seed, block, rotation), "state": table.state()}
    yield from _decisions(table, strategies, seated)
    end = table.end()
    assert end is not None
    with np.errstate(over="ignore"):
        digest = int(driver.mix(table.digest))
    yield {"type": "end", **end, "digest": f"{digest:016x}"}


def _decisions(table: Table, strategies: Sequence[Strategy], seated: list[int]) -> Iterator[dict[str, Any]]:
    for decision in table.play(Team(table.game, strategies), seated):
        yield {
            "type": "decision",
            "n": decision.number,
            "turn": decision.turn,
            "round": decision.round,
            "seat": decision.seat,
            "decision": decision.kind,
            "legal": decision.legal,
            "chosen": decision.chosen,
            "chance": decision.chance,
            "state": decision.state,
        }


def pretty(game: Game, lines: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Tell a trace as readable prose, line by line."""
    turn = 0
    before: Mapping[str, Any] = {}
    for line in lines:
        kind = line["type"]
        if kind == "header":
            yield from _opening(game, line)
        elif kind == "setup":
            yield from ("", "Set-up")
            yield from _indented(game.words.table(line["state"]))
        elif kind == "decision":
            if line["turn"] != turn:
                turn = line["turn"]
                yield ""
                yield f"Turn {turn}, round {line['round']}: seat {line['seat']}"
            yield from _told(game, line, before)
            if line["state"]["turn"] != turn or line["state"]["end_reason"]:
                yield from _indented(game.words.table(line["state"]))
        else:
            yield from _closing(game, line)
        before = line.get("state", before)


def _opening(game: Game, header: Mapping[str, Any]) -> Iterator[str]:
    seats = ", ".join(f"seat {seat['seat']} {seat['strategy']}" for seat in header["seats"])
    yield f"{game.title}, {header['players']} players: {seats}"
    yield f"seed {header['seed']}, game {header['index']}"
    if game.provenance:
        yield f"Reconstructed: {game.provenance}"


def _told(game: Game, line: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[str]:
    options = len(line["legal"])
    extra = game.words.consequence(line["chosen"], line["seat"], before, line["state"])
    chance = "; ".join(game.words.chance_sentence(event) for event in line["chance"])
    who = game.words.decider(line["seat"], before)
    told = " ".join(part for part in (who, game.words.sentence(line["chosen"]), extra) if part)
    yield f"  {told}  (1 of {options} choices)"
    if chance:
        yield f"    chance: {chance}"
    yield from _indented(game.words.aftermath(before, line["state"]))


def _closing(game: Game, line: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    lasted = f"{line['turns']} turns, {line['rounds']} rounds, {line['decisions']} decisions"
    yield f"End: {line['end_reason']} after {lasted}"
    for place in line["ranking"]:
        share = f", win share {place['win_share']:g}" if place["win_share"] else ""
        yield f"  rank {place['rank']}: seat {place['seat']}, {place['score']} {game.score_word}{share}"
    yield f"digest {line['digest']}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)
