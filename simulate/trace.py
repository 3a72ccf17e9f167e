"""Writes one game down, decision by decision, so that somebody with only the rulebook can referee it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import driver
from .bots import Strategy, Team, line_ups
from .game import Game, Words
from .parameters import Parameters
from .plurals import counted
from .table import Decision, Table


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
    seats = [(strategies[who].name, strategies[who].noise) for who in seated]
    yield header_line(table, seats, rules.model_dump(), seed, index)
    yield {"type": "setup", "chance": table.deal(seed, block, rotation), "state": table.state()}
    for decision in table.play(Team(table.game, strategies), seated):
        yield decision_line(decision)
    yield end_line(table)


def header_line(
    table: Table, seats: Sequence[tuple[str, float]], rules: Mapping[str, Any], seed: int, index: int
) -> dict[str, Any]:
    """The first line. seats: who plays, seat by seat: name and noise; rules: every parameter."""
    game, players = table.game, table.players
    return {
        "type": "header",
        "game": game.name,
        "game_version": game.version,
        "players": players,
        "seats": [{"seat": seat, "strategy": name, "noise": noise} for seat, (name, noise) in enumerate(seats, 1)],
        "seed": seed,
        "index": index,
        "block": index // players,
        "rotation": index % players,
        "rules": dict(rules),
        "provenance": game.provenance,
    }


def decision_line(decision: Decision) -> dict[str, Any]:
    return {
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


def end_line(table: Table) -> dict[str, Any]:
    """The last line, of a game that is over."""
    end = table.end()
    assert end is not None
    with np.errstate(over="ignore"):
        digest = int(driver.mix(table.digest))
    return {"type": "end", **end, "digest": f"{digest:016x}"}


def pretty(game: Game, lines: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Tell a trace as readable prose, line by line."""
    turn, words = 0, game.words
    before: Mapping[str, Any] = {}
    for line in lines:
        kind = line["type"]
        if kind == "header":
            words = game.words_under(game.parameters.model_validate(line["rules"]))
            yield from _opening(game, line)
        elif kind == "setup":
            yield from ("", "Set-up")
            yield from _indented(words.table(line["state"]))
        elif kind == "decision":
            if line["turn"] != turn:
                turn = line["turn"]
                yield ""
                yield f"Turn {turn}, round {line['round']}: seat {line['seat']}"
            yield from _told(words, line, before)
            if line["state"]["turn"] != turn or line["state"]["end_reason"]:
                yield from _indented(words.table(line["state"]))
        else:
            yield from _closing(game, line)
        before = line.get("state", before)


def _opening(game: Game, header: Mapping[str, Any]) -> Iterator[str]:
    seats = ", ".join(f"seat {seat['seat']} {seat['strategy']}" for seat in header["seats"])
    yield f"{game.title}, {counted(header['players'], 'players')}: {seats}"
    yield f"seed {header['seed']}, game {header['index']}"
    if game.provenance:
        yield f"Reconstructed: {game.provenance}"


def _told(words: Words, line: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[str]:
    options = len(line["legal"])
    extra = words.consequence(line["chosen"], line["seat"], before, line["state"])
    chance = "; ".join(words.chance_sentence(event) for event in line["chance"])
    who = words.decider(line["seat"], before)
    told = " ".join(part for part in (who, words.sentence(line["chosen"]), extra) if part)
    yield f"  {told}  (1 of {counted(options, 'choices')})"
    if chance:
        yield f"    chance: {chance}"
    yield from _indented(words.aftermath(before, line["state"]))


def _closing(game: Game, line: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    lasted = ", ".join(counted(line[things], things) for things in ("turns", "rounds", "decisions"))
    yield f"End: {line['end_reason']} after {lasted}"
    for place in line["ranking"]:
        share = f", win share {place['win_share']:g}" if place["win_share"] else ""
        yield f"  rank {place['rank']}: seat {place['seat']}, {counted(place['score'], game.score_word)}{share}"
    yield f"digest {line['digest']}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)
