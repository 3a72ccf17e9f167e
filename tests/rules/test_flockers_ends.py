"""Flockers: set-up, how the game ends and who wins (Setup, End of Game, The Winner; K20 to K25)."""

from __future__ import annotations

import pytest
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table

from tests.rules.flockers_positions import (
    birds,
    end,
    end_reason,
    flock_deck,
    fly,
    moment,
    pass_by,
    places,
    play,
    rules_of,
    take,
    terrain_deck,
    use,
    where,
)

SIX = "AB13 / AB01 AB02 AB03 / AB04 AB07"  # one more fills it
JUST_BEFORE = "T13 T14 T15 T16 T17 T18 T20 T21 T22 T01"
"""The tenth card is a plain mountain."""

# --- Setup ---


def dealt(players, rules=None, seed=1):
    table = Table(load_game("flockers"), rules_of(players, rules or {}), players)
    return table, table.deal(seed)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_set_up(players):
    table, _ = dealt(players)
    state = table.state()
    assert [len(hand) for hand in state["hands"].values()] == [5] * players
    assert len(state["path"]) == 1
    assert len(state["terrain_display"]) == len(state["flock_display"]) == 3
    assert len(state["terrain_deck"]) == 24
    assert len(state["draw_pile"]) == 72 - 3 - 5 * players
    assert all(token == {"card": 0, "terrain": None} for token in state["tokens"].values())
    assert list(state["tokens"]) == [str(seat) for seat in range(1, players + 1)] + ["automa"] * (players == 1)
    assert (state["out"], state["last_turns"], moment(table)) == ([], None, (1, 1, "play"))


def test_set_up_by_other_numbers():
    table, _ = dealt(2, {"hand_size": 3, "flock_display": 6, "terrain_display": 2})
    state = table.state()
    assert [len(hand) for hand in state["hands"].values()] == [3, 3]
    assert (len(state["flock_display"]), len(state["terrain_display"])) == (6, 2)


def test_hands_are_dealt_one_after_the_other_then_the_display():
    _, chance = dealt(2)
    assert chance[0] == {"flock_deck": "shuffled"}
    assert [event["to"] for event in chance if "deal" in event] == [1] * 5 + [2] * 5
    assert ["show" in event for event in chance[-3:]] == [True] * 3


def test_the_first_terrain_card_with_two_terrains_begins_the_path():
    """The others stay on display in the order in which they were flipped."""
    starts = set()
    for seed in range(60):
        table, chance = dealt(2, seed=seed)
        flips = [event for event in chance if {"start", "show_terrain"} & set(event)]
        shapes = {card.card: len(card.spaces) for card in rules_of(2, {}).terrain_cards.cards}
        position = next(i for i, event in enumerate(flips) if "start" in event)
        assert all(shapes[event["show_terrain"]] == 1 for event in flips[:position])
        assert shapes[flips[position]["start"]] > 1
        assert table.state()["path"] == [flips[position]["start"]]
        shown = [event["show_terrain"] for event in flips if "show_terrain" in event]
        assert table.state()["terrain_display"] == shown
        starts.add(position)
    assert {0, 1, 2} <= starts


def test_k20_all_are_shuffled_again_until_one_of_four_has_two_terrains():
    deck = terrain_deck("TWO mountain lake", *(f"S{number} lake" for number in range(30)), plain=0)
    shuffles = []
    for seed in range(20):
        table, chance = dealt(2, {"terrain_cards": deck}, seed)
        shuffles.append(chance.count({"terrain_deck": "shuffled"}))
        assert table.state()["path"] == ["TWO"]
        assert sum("show_terrain" in event for event in chance) == 3
        assert len(table.state()["terrain_deck"]) == 27
    assert max(shuffles) > 1


def test_two_flock_decks_meet_the_same_terrain():
    """The decks are drawn from streams of their own."""
    one, other = dealt(2)[0].state(), dealt(2, {"flock_cards": flock_deck(plain=80)})[0].state()
    assert [one[key] for key in ("path", "terrain_display", "terrain_deck")] == [
        other[key] for key in ("path", "terrain_display", "terrain_deck")
    ]


# --- Full flocks ---


def test_k21_seven_birds_are_out_and_draw_nothing(flockers_table):
    table = flockers_table(flocks={1: SIX}, hands={1: "AB08 AB09"}, path="T13")
    pass_by(table)
    state = table.state()
    assert state["out"] == [1]
    assert len(state["hands"]["1"]) == 1
    assert moment(table) == (2, 2, "play")
    assert end_reason(table) is None


def test_k21_six_birds_are_not(flockers_table):
    table = flockers_table(flocks={1: "AB13 / AB01 AB02 AB03 / AB04"}, hands={1: "AB08"}, path="T13")
    play(table, "AB08", "bottom")
    end(table)
    assert table.decision == "replenish"


def test_k21_a_full_flock_of_another_size(flockers_table):
    table = flockers_table(flocks={1: "AB13 / AB01"}, hands={1: "AB08"}, path="T13", rules={"flock_size": 3})
    play(table, "AB08", "top")
    end(table)
    assert table.state()["out"] == [1]


def test_k21_the_last_player_still_in_plays_on_alone(flockers_table):
    table = flockers_table(flocks={1: SIX}, path="T13")
    pass_by(table)
    pass_by(table)
    assert moment(table) == (3, 2, "play")
    pass_by(table)
    assert moment(table) == (4, 2, "play")


def test_k21_all_out_is_stuck_and_ranked_by_distance(flockers_table):
    table = flockers_table(flocks={1: SIX, 2: "AW13 / AW01 AW02 AW03 / AW04 AW05"}, at={2: "2 forest"}, path="T13 T14")
    pass_by(table)
    pass_by(table)
    assert end_reason(table) == "stuck"
    assert places(table) == {2: (1, 2, 1.0), 1: (2, 0, 0.0)}
    assert table.state()["last_turns"] is None
    assert table.state()["out"] == [1, 2]


# --- The final card ---


def arrive(table, card):
    play(table, card)
    use(table, "card main fly")
    fly(table, 10, "mountain")
    end(table)


def arriving(flockers_table, players=3, card="AW01", path=JUST_BEFORE, at=None, **more):
    """Seat 1 flies to the tenth card in its turn."""
    at = {1: "9 forest"} | (at or {})
    table = flockers_table(players=players, hands={1: f"{card} AB10"}, path=path, at=at, **more)
    play(table, card, table.legal()[0]["to"])
    use(table, "card main fly")
    fly(table, 10, "mountain")
    end(table)
    return table


def test_the_tenth_card_ends_the_game_after_a_turn_of_each_other(flockers_table):
    """Who reaches it draws no card."""
    table = arriving(flockers_table)
    assert table.state()["out"] == [1]
    assert len(table.state()["hands"]["1"]) == 1
    assert table.state()["last_turns"] == [2, 3]
    assert moment(table) == (2, 2, "play")
    pass_by(table)
    assert table.state()["last_turns"] == [3]
    assert moment(table) == (3, 3, "play")
    pass_by(table)
    assert end_reason(table) == "win"
    assert table.state()["last_turns"] == []
    assert places(table)[1] == (1, 10, 1.0)


def test_k22_final_turns_replenish_as_usual(flockers_table):
    table = arriving(flockers_table)
    play(table, table.legal()[0]["play"])
    end(table)
    assert table.decision == "replenish"
    assert table.state()["last_turns"] == [2, 3]
    take(table)
    assert len(table.state()["hands"]["2"]) == 5


def test_k22_clockwise_from_who_reached_it(flockers_table):
    table = flockers_table(
        players=3, hands={2: "AW01"}, path=JUST_BEFORE, at={2: "9 forest"}, to_move=2, turn=5, round=2
    )
    arrive(table, "AW01")
    assert table.state()["last_turns"] == [1, 3]
    assert moment(table) == (6, 3, "play")
    pass_by(table)
    assert moment(table) == (7, 1, "play")
    assert table.round == 3
    pass_by(table)
    assert end_reason(table) == "win"


def test_k22_who_is_out_has_no_final_turn(flockers_table):
    table = arriving(flockers_table, flocks={2: f"{SIX} AB08"}, out=[2])
    assert table.state()["last_turns"] == [3]
    assert moment(table) == (2, 3, "play")


def test_k22_another_arrival_adds_none(flockers_table):
    table = flockers_table(players=3, hands={1: "AW01", 2: "AB04"}, path=JUST_BEFORE, at={1: "9 forest", 2: "9 forest"})
    for card in ("AW01", "AB04"):
        arrive(table, card)
    assert table.state()["out"] == [1, 2]
    assert table.state()["last_turns"] == [3]
    pass_by(table)
    assert end_reason(table) == "win"


def test_k22_an_arrival_in_the_last_final_turn_gives_nobody_another(flockers_table):
    table = flockers_table(players=3, hands={1: "AW01", 3: "JW03"}, path=JUST_BEFORE, at={1: "9 forest", 3: "9 forest"})
    arrive(table, "AW01")
    pass_by(table)
    arrive(table, "JW03")
    assert end_reason(table) == "win"
    assert places(table)[2] == (3, 0, 0.0)


def test_k22_the_last_player_still_in_ends_it_at_once(flockers_table):
    table = arriving(flockers_table, players=2, flocks={2: f"{SIX} AB08"}, out=[2])
    assert end_reason(table) == "win"


def test_k22_an_earlier_final_card(flockers_table):
    table = flockers_table(hands={1: "AW01"}, path="T13", rules={"final_card": 1})
    play(table, "AW01")
    use(table, "card main fly")
    fly(table, 1, "mountain")
    table.apply({"end": True})
    assert table.state()["last_turns"] == [2]


def test_k22_a_later_final_card(flockers_table):
    table = flockers_table(hands={1: "AW01"}, path=JUST_BEFORE, at={1: "9 forest"}, rules={"final_card": 11})
    arrive(table, "AW01")
    assert table.decision == "replenish"


def test_k23_flying_on_beyond_the_tenth_card(flockers_table):
    """In the same turn; what lies beyond counts."""
    path = "T13 T14 T15 T16 T17 T18 T20 T21 T22 T01 T02 T03"
    table = flockers_table(flocks={1: "AB13 / AW01"}, hands={1: "AW05"}, path=path, at={1: "9 forest"})
    play(table, "AW05", "top")
    use(table, "card main fly")
    fly(table, 12, "mountain")
    end(table)
    pass_by(table)
    assert places(table)[1] == (1, 12, 1.0)


def test_k23_navigating_on_after_reaching_it(flockers_table):
    deck = flock_deck("F1,adult-white,fly,mountain,1,navigate fly,")
    table = flockers_table(
        hands={1: "F1"}, path=JUST_BEFORE, at={1: "9 forest"}, rules={"flock_cards": deck}, maps="T02"
    )
    play(table, "F1")
    use(table, "card main fly")
    fly(table, 10, "mountain")
    use(table, "card bonus navigate")
    table.apply({"add": "T02"})
    use(table, "card bonus fly")
    fly(table, 11, "mountain")
    end(table)
    assert where(table) == "11 mountain"


# --- The Winner ---


def ended(flockers_table, flocks, at, players=2):
    """All flocks are full but the first, which fills up now."""
    table = flockers_table(
        players=players,
        flocks=flocks,
        at=at,
        path="T13 T14 T15",
        out=list(range(2, players + 1)),
        hands={1: "JW13"},
        rules={"flock_size": 2},
    )
    pass_by(table, "JW13")
    return places(table)


def test_k24_the_furthest_wins(flockers_table):
    assert ended(flockers_table, {1: "AW01", 2: "AB01 / AB02"}, {1: "2 forest", 2: "1 forest"}) == {
        1: (1, 2, 1.0),
        2: (2, 1, 0.0),
    }


def test_k24_then_the_largest_flock(flockers_table):
    """Two birds against three, all of one type."""
    at = {1: "2 forest", 2: "2 mountain"}
    assert ended(flockers_table, {1: "AW01", 2: "AB01 / JB01 JW01"}, at) == {2: (1, 2, 1.0), 1: (2, 2, 0.0)}


def test_k24_then_the_most_of_one_type(flockers_table):
    """AW01 and JW13 against two adult blue geese; the terrain does not matter."""
    at = {1: "2 forest", 2: "2 mountain"}
    assert ended(flockers_table, {1: "AW01", 2: "AB01 / AB02"}, at) == {2: (1, 2, 1.0), 1: (2, 2, 0.0)}
    assert ended(flockers_table, {1: "JW01", 2: "AB01 / AW02"}, at) == {1: (1, 2, 1.0), 2: (2, 2, 0.0)}


def test_k24_then_it_is_shared(flockers_table):
    at = {1: "2 forest", 2: "2 mountain", 3: "1 forest"}
    flocks = {1: "AW01", 2: "AB01 / JB02", 3: "JB01 / JB03"}
    assert ended(flockers_table, flocks, at, players=3) == {1: (1, 2, 0.5), 2: (1, 2, 0.5), 3: (3, 1, 0.0)}


# --- Turns, rounds and the cap ---


def test_a_round_ends_when_the_turn_passes_the_start_seat(flockers_table):
    table = flockers_table(players=3)
    for turn, seat, round_ in [(1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 1, 2)]:
        assert (moment(table)[:2], table.round) == ((turn, seat), round_)
        pass_by(table)


def test_a_round_ends_there_when_the_start_seat_is_out_too(flockers_table):
    table = flockers_table(players=3, flocks={1: f"{SIX} AB08"}, out=[1], to_move=3, turn=3)
    pass_by(table)
    assert (moment(table)[:2], table.round) == ((4, 2), 2)


def test_k25_the_cap_ends_the_game_without_a_winner(flockers_table):
    table = flockers_table(at={2: "1 forest"}, path="T13", rules={"turn_cap": 2})
    for _ in range(3):
        pass_by(table)
    assert not table.over
    pass_by(table)
    assert end_reason(table) == "turn_cap"
    assert (table.turn, table.round) == (4, 2)
    assert places(table) == {2: (1, 1, 0.0), 1: (2, 0, 0.0)}


def test_k25_final_turns_are_never_cut_off(flockers_table):
    table = flockers_table(
        hands={2: "AW01"}, path=JUST_BEFORE, at={2: "9 forest"}, to_move=2, turn=2, rules={"turn_cap": 1}
    )
    arrive(table, "AW01")
    assert moment(table) == (3, 1, "play")
    pass_by(table)
    assert end_reason(table) == "win"


def test_k25_all_out_comes_before_the_cap(flockers_table):
    table = flockers_table(
        flocks={1: f"{SIX} AB08", 2: "AW13 / AW01 AW02 AW03 / AW04 AW05"},
        out=[1],
        to_move=2,
        turn=2,
        rules={"turn_cap": 1},
    )
    pass_by(table)
    assert end_reason(table) == "stuck"
    assert birds(table, 2).count("A") == 6


# --- rules that cannot be played ---


@pytest.mark.parametrize(
    ("players", "rules", "message"),
    [
        (4, {"flock_cards": flock_deck(plain=46)}, "flock_cards: deck.csv .* has 46 cards; 4 players need 47"),
        (1, {"flock_cards": flock_deck(plain=13)}, "has 13 cards; 1 players need 14"),
        (2, {"terrain_cards": terrain_deck("A mountain lake", "B lake", "C lake", plain=0)}, "set-up flips 4"),
        (2, {"terrain_cards": terrain_deck(*(f"S{n} lake" for n in range(12)), plain=0)}, "no card of .* two terrains"),
        (2, {"final_card": 29}, "final_card: 29 can never be reached; terrain_cards.csv has 28 cards"),
        (2, {"solo_bands": {"great": 5}}, "solo_bands.great: 5 points are fewer than the 7 of good"),
    ],
)
def test_rules_that_cannot_be_played(players, rules, message):
    with pytest.raises(RulesError, match=message):
        rules_of(players, rules)


def test_the_smallest_decks_are_enough():
    rules_of(4, {"flock_cards": flock_deck(plain=47)})
    rules_of(1, {"flock_cards": flock_deck(plain=14), "terrain_cards": terrain_deck(plain=10)})
    rules_of(4, {"hand_size": 10})
