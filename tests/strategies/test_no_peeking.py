"""No bot peeks: what its seat cannot see is dealt anew, chance to come is another, and its choice stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from flocksim.simulate.bots import Strategy, Team
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games import GAMES, load_game
from flocksim.simulate.own_bots import OwnBot
from flocksim.simulate.streams import DECK, DICE
from flocksim.simulate.table import Table
from flocksim.strategies import catalogue
from flocksim.strategies.uniform import RANDOM

LOOKS = 20  # at decisions of one game
SEARCHES = ("ismcts:12", "ismcts:4:{}")
HANDS = "sum = 0\n    for seat in range(state.players):\n        for at in range(state.hand.shape[1]):\n" \
        "            sum += state.hand[seat, at] * (seat + 1) * (at + 3)"  # fmt: skip
NOSY = """\
import zlib

from flocksim import bot


@bot
def compiled(state, rules, choices, weights):
    {hands}
    return (sum + int(state.streams[0] >> 40) + int(state.streams[1] >> 40)) % choices.count


@bot(python=True)
def plain(view):
    shown = [view._state[name].tolist() for name in view._state.dtype.names]
    return zlib.crc32(repr((view.state, shown)).encode()) % len(view.actions)
"""
"""Bots that look at all that they are shown, the hands of others and the dice to come included."""
CARDS = ("flock-together", "flockers")  # the games with hidden hands


def everybody(game, folder):
    """Every kind of bot that a study can name."""
    shipped = list(catalogue.shipped(game.name).values())
    tiers = [bot for tier in catalogue.TIERS for bot in catalogue.tier(game.name, tier)]
    archetype = catalogue.archetypes(game.name)[0].name
    searches = [catalogue.find(game.name, name.format(archetype)) for name in SEARCHES]
    kinds = list(game.action_kinds)
    weights = {name: 1.0 + place for place, name in enumerate(catalogue.features(game.name))}
    (folder / "nosy.py").write_text(NOSY.format(hands=HANDS if game.name in CARDS else "sum = 0"), "utf-8")
    own = [Strategy(name, OwnBot.named(f"nosy.py:{name}", folder), (0.0,)) for name in ("compiled", "plain")]
    kept = [
        catalogue.variation(game.name, "tuned-kept", catalogue.TUNED, without=kinds[::2]),
        catalogue.variation(game.name, "search-kept", SEARCHES[0], without=kinds[1::2]),
        replace(own[0], name="own-kept", without=tuple(kinds[::2])),
    ]
    return [*shipped, *tiers, *searches, catalogue.variation(game.name, "weighed", weights=weights), *own, *kept]


def dealt_anew(table, rng):
    """The same table to the seat to move."""
    other = table.copy()
    streams, mine = other.states["streams"][0], int(table.states["bot_stream"][0][table.to_move - 1])
    streams[:] = rng.integers(2**63, size=len(streams), dtype=np.uint64)
    other.redeal(table.to_move)
    streams[mine] = table.states["streams"][0][mine]
    return other


def peeks(game, players, team, seed=1, **rules):
    """Names of the team's strategies that choose by what their seat cannot see, in a game played by all in turn; and at
    how many decisions the words for the table were other ones, once that was dealt anew.
    """
    rng = np.random.default_rng(seed)
    table = Table(game, game.parameters.build(players, rules), players)
    table.deal(seed)
    found, unlike, looks = set(), 0, 0
    while not table.over and looks < LOOKS:
        codes = table.legal_codes()
        if len(codes) > 1:
            other, looks = dealt_anew(table, rng), looks + 1
            assert other.legal_codes() == codes
            assert other.seen(table.to_move) == table.seen(table.to_move)
            unlike += other.state() != table.state()
            for who, strategy in enumerate(team.strategies):
                if table.copy().choose(team, who) != other.copy().choose(team, who):
                    found.add(strategy.name)
        table.apply_code(codes[table.choose(team, looks % len(team.strategies))])
    assert looks > LOOKS / 2
    return found, unlike


@pytest.mark.parametrize("name", GAMES)
def test_no_bot_peeks(name, tmp_path):
    game = load_game(name)
    team = Team(game, everybody(game, tmp_path))
    for players in game.seats:
        found, unlike = peeks(game, players, team)
        assert found == set()
        assert unlike > LOOKS / 2 or name not in CARDS


def test_nor_at_cards_drawn_from_the_deck(tmp_path):
    """By this rule of Flockers some of a hand is known to all, some not."""
    game = load_game("flockers")
    found, unlike = peeks(game, 4, Team(game, everybody(game, tmp_path)), draw_from_deck=True)
    assert found == set()
    assert unlike


# --- bots that peek are found ---


def looks_at_hands(s, rules, choices, weights):
    total = 0
    for seat in range(s.players):
        if seat != s.seat:
            for at in range(s.hand.shape[1]):
                total += s.hand[seat, at] * (at + 1)
    return total % choices.count


def looks_at_chance(s, rules, choices, weights):
    return (np.int64(s.streams[DECK] >> np.uint64(40)) + np.int64(s.streams[DICE] >> np.uint64(40))) % choices.count


@kernel
def deals_nothing(s, rules, seat):
    pass


@pytest.mark.parametrize("name", GAMES)
def test_a_planted_one_is_found(name):
    game = load_game(name)
    planted = [Strategy("chance", looks_at_chance, (0.0,))]
    if name in CARDS:
        planted.append(Strategy("hands", looks_at_hands, (0.0,)))
    found, _ = peeks(game, 3, Team(game, [RANDOM, *planted]))
    assert found == {strategy.name for strategy in planted}


@pytest.mark.parametrize("name", CARDS)
def test_a_search_that_deals_nothing_anew_is_found(name):
    game = load_game(name)
    search = catalogue.find(name, SEARCHES[0])
    assert peeks(game, 2, Team(replace(game, redeal=deals_nothing), [search]))[0] == {search.name}
