"""Every rule test runs twice: on the simulator's table and on the oracle's, which is so held to the same examples."""

import pytest
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table

from tests.oracle import flock as flock_oracle
from tests.oracle.flock_referee import OracleTable as FlockOracleTable
from tests.oracle.flock_together import standard_rules
from tests.oracle.flock_together_referee import OracleTable
from tests.rules import flock_positions, flockers_positions
from tests.rules.positions import position


def engine_table(players, **changes):
    game = load_game("flock-together")
    return Table(game, game.parameters.build(players, changes), players=players)


def oracle_table(players, **changes):
    return OracleTable(standard_rules(**changes), players)


@pytest.fixture(params=[engine_table, oracle_table], ids=["engine", "oracle"])
def empty_table(request):
    """A function (players, **rule changes) -> a table with nothing on it yet."""
    return request.param


@pytest.fixture
def new_table(empty_table):
    """A function (players, rules, **position) -> a table on which that position is placed."""

    def make(players=4, rules=None, **where):
        table = empty_table(players, **(rules or {}))
        state = position(players, cards=(rules or {}).get("cards"), **where)
        table.place(state)
        table.stack(where.get("top", "").split())
        return table

    return make


def flock_engine_table(players, **changes):
    game = load_game("flock")
    return Table(game, game.parameters.build(players, changes), players=players)


class SteppedFlockOracle(FlockOracleTable):
    """The oracle of Flock with the simulator's table's names for what its state says."""

    over = property(lambda self: self.end() is not None)
    to_move = property(lambda self: self.state()["to_move"])
    decision = property(lambda self: self.state()["decision"])
    turn = property(lambda self: self.state()["turn"])
    round = property(lambda self: self.state()["round"])


def flock_oracle_table(players, **changes):
    """Its rules are read by the simulator, so that a list or a number for all rounds means the same to both."""
    rules = load_game("flock").parameters.build(players, changes)
    return SteppedFlockOracle(flock_oracle.standard_rules(**rules.model_dump()), players)


@pytest.fixture(params=[flock_engine_table, flock_oracle_table], ids=["engine", "oracle"])
def empty_flock_table(request):
    """The same for Flock."""
    return request.param


@pytest.fixture
def flock_table(empty_flock_table):
    """A function (players, rules, **position) -> a table of Flock on which that position is placed."""

    def make(players=3, flocks=None, rules=None, **where):
        table = empty_flock_table(players, **(rules or {}))
        supply = (rules or {}).get("bird_supply", 8)
        table.place(flock_positions.position(players, flocks, supply, **where))
        return table

    return make


def flockers_engine_table(players, rules):
    return Table(load_game("flockers"), rules, players=players)


@pytest.fixture(params=[flockers_engine_table], ids=["engine"])
def empty_flockers_table(request):
    """The same for Flockers: a function (players, rules)."""
    return request.param


@pytest.fixture
def flockers_table(empty_flockers_table):
    """A function (players, rules, **position) -> a table of Flockers on which that position is placed."""

    def make(players=2, rules=None, **where):
        built = flockers_positions.rules_of(players, rules or {})
        table = empty_flockers_table(players, built)
        table.place(flockers_positions.position(built, players, **where))
        return table

    return make
