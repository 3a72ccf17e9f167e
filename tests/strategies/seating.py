"""Strategies of any game seated at a table, to be asked one decision or to play whole games."""

from __future__ import annotations

import numpy as np
from flocksim.simulate import driver
from flocksim.simulate.bots import Strategy, Team
from flocksim.simulate.plan import Part, Study, Variant
from flocksim.simulate.player import BlockPlayer
from flocksim.strategies import catalogue


def games_of(game, names, players, games, seed, rules):
    """Games of these strategies (or names of shipped ones) in all rotations: (game rows, seat rows)."""
    shipped = catalogue.shipped(game.name)
    strategies = tuple(name if isinstance(name, Strategy) else shipped[name] for name in names)
    variant = Variant("variant", game.parameters.build(players, rules))
    study = Study("test", game, (players,), (variant,), strategies, games, seed)
    blocks = study.blocks(players)
    rows = np.zeros(blocks * players, driver.GameRow)
    seats = np.zeros((blocks * players, players), driver.seat_dtype(len(game.counters)))
    BlockPlayer(study, Part(0, players, 0, 0, blocks))(0, rows, seats)
    return rows, seats


class Seated:
    """Strategies of a game, ready to be asked at a table."""

    def __init__(self, game, *strategies):
        self.team = Team(game, strategies)

    def code(self, table, who=0):
        """The code of the action that strategy `who` picks at this table."""
        index = table.choose(self.team, who)
        assert 0 <= index < len(table.legal_codes())
        return table.legal_codes()[index]

    def action(self, table, who=0):
        return table.words.action(self.code(table, who), table.states[0])
