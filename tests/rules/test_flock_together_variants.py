"""Flock Together, rule by rule: printed variants and rules that nobody printed (T1 to T15 are rulings)."""

import pytest
from flocksim.simulate.games import load_game

from tests.oracle.flock_together import by_rarity, standard_rules
from tests.rules.positions import (
    RARE,
    about_to_fly,
    cards_on,
    collection,
    draw,
    end_reason,
    flights,
    fly,
    hand,
    moment,
    nearly_stuck,
    play,
)

# -------------------------------------------------------------------------------------------------- Variants


RARER = {"small_flock": by_rarity(5, 3), "big_flock": by_rarity(7, 4)}


@pytest.mark.parametrize("species", RARE)
@pytest.mark.parametrize(("size", "gain"), [(2, 0), (3, 1), (4, 2)])
def test_rarer_rare_birds(new_table, species, size, gain):
    """Variants: face cards need 3 and 4."""
    table = about_to_fly(new_table, " ".join([species] * size), rules=RARER, birds={1: "A-2"})
    if gain:
        fly(table, species)
    assert moment(table) == (2, 2, "play")
    assert collection(table) == ({"A-2": 1, species: gain} if gain else {"A-2": 1})


def test_rarer_rare_birds_leaves_number_cards_alone(new_table):
    """Variants."""
    table = about_to_fly(new_table, "7-8 7-8 7-8 7-8 7-8", rules=RARER)
    assert sorted(flights(table)) == ["7-8", "none"]


@pytest.mark.parametrize(
    ("birds", "wins"), [("A-2 3-4 5-6 7-8 J", True), ("A-2 3-4 5-6 7-8", False), ("Q Q 5-6 5-6 5-6", True)]
)
def test_quick_game(new_table, birds, wins):
    """Variants: six species are enough, five are not, the sets stay as they are."""
    table = about_to_fly(new_table, "Q Q", rules={"win_species": 6}, birds={1: birds})
    fly(table, "Q")
    assert end_reason(table) == ("win" if wins else None)


@pytest.mark.parametrize(
    ("presets", "changes"),
    [
        (["rarer-rare-birds"], RARER),
        (["quick-game"], {"win_species": 6}),
        (["rarer-rare-birds", "quick-game"], {**RARER, "win_species": 6}),
    ],
)
def test_presets(presets, changes):
    """Variants: the printed ones by name; they combine."""
    game = load_game("flock-together")
    rules = game.parameters.build(4, *(game.presets[name] for name in presets))
    assert rules.model_dump() == standard_rules(**changes)


# ----------------------------------------------------------------------------------------- Custom parameters


def test_custom_setup(empty_table):
    """Parameters cards, hand_size, rows, row_cards and first_birds."""
    table = empty_table(3, cards=by_rarity(12, 9), hand_size=5, rows=2, row_cards=4, first_birds=2)
    table.deal(seed=5, block=0)
    state = table.state()
    assert cards_on(table) == by_rarity(12, 9)
    assert [len(set(cards)) for cards in state["rows"]] == [len(cards) for cards in state["rows"]] == [4, 4]
    assert [sum(cards.values()) for cards in state["hands"].values()] == [5, 5, 5]
    assert [sum(cards.values()) for cards in state["collections"].values()] == [2, 2, 2]
    assert {action["row"] for action in table.legal()} == {1, 2}


def test_custom_hand_size_in_a_new_deal(new_table):
    """Parameter hand_size, in the deal and in the stuck test."""
    table, events = nearly_stuck(new_table, pile=1, discard=1, rules={"hand_size": 5})
    assert len([event for event in events if "card" in event]) == 10
    assert (sum(hand(table).values()), sum(hand(table, 2).values())) == (5, 5)
    table, _ = nearly_stuck(new_table, pile=1, discard=0, rules={"hand_size": 5})
    assert end_reason(table) == "stuck"


@pytest.mark.parametrize("count", [1, 3])
def test_custom_draw_cards(new_table, count):
    """Parameter draw_cards."""
    table = new_table(rules={"draw_cards": count}, rows=["J K"], hands={1: "3-4 5-6"}, top="7-8 9-10 Q")
    play(table, "3-4")
    assert [event["card"] for event in draw(table)] == ["7-8", "9-10", "Q"][:count]


def test_no_draw_cards(new_table):
    """Parameter draw_cards = 0: no draw is offered."""
    table = new_table(rules={"draw_cards": 0}, rows=["J K"], hands={1: "3-4 5-6"})
    play(table, "3-4")
    assert moment(table) == (2, 2, "play")


@pytest.mark.parametrize(("size", "gain"), [(3, 0), (4, 2), (5, 2), (6, 3)])
def test_custom_flocks_and_gains(new_table, size, gain):
    """Parameters small_flock, big_flock, small_gain and big_gain."""
    rules = {"small_flock": by_rarity(4, 2), "big_flock": by_rarity(6, 3), "small_gain": 2, "big_gain": 3}
    table = about_to_fly(new_table, " ".join(["7-8"] * size), rules=rules, birds={1: "A-2"})
    if gain:
        fly(table, "7-8")
        assert table.state()["discard"] == {"7-8": size - gain}
    assert collection(table).get("7-8", 0) == gain


def test_a_gain_of_a_whole_flock_discards_nothing(new_table):
    """Parameter small_gain as large as the small flock."""
    table = about_to_fly(new_table, "Q Q", rules={"small_gain": 2, "big_gain": 2})
    fly(table, "Q")
    assert table.state()["discard"] == {}
    assert collection(table) == {"9-10": 1, "Q": 2}


@pytest.mark.parametrize(
    ("rules", "wins"),
    [
        ({"win_sets": 2}, True),
        ({"win_sets": 3}, False),
        ({"win_set_size": 4}, False),
        ({"win_sets": 1, "win_set_size": 4}, False),
        ({"win_sets": 3, "win_set_size": 2}, True),
        ({"win_sets": 3, "win_species": 4}, True),
        ({"win_sets": 3, "win_species": 5}, False),
    ],
)
def test_custom_win_conditions(new_table, rules, wins):
    """Parameters win_species, win_sets and win_set_size, for a collection of 3 + 3 + 2 + 1 cards."""
    table = about_to_fly(new_table, "Q Q", rules=rules, birds={1: "Q Q 5-6 5-6 5-6 J J A-2"})
    fly(table, "Q")
    assert end_reason(table) == ("win" if wins else None)
