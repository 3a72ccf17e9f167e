"""4 the Birds: set-up, dice, doubles, tokens, re-rolls, flocks and how games end."""

from __future__ import annotations

from collections import Counter

import pytest
from flocksim.simulate.games import load_game
from flocksim.simulate.games.four_the_birds.board import flock_places
from flocksim.simulate.table import Table

from tests.rules.birds_positions import (
    ALL,
    birds,
    counters,
    decides,
    discards,
    hand,
    options,
    over,
    play,
    reserve,
    rolls_of,
    winners,
    with_roll,
)

GAME = load_game("4-the-birds")


def dealt(players, seed=1, **rules):
    table = Table(GAME, GAME.parameters.build(players, rules), players)
    return table, table.deal(seed)


# --- Set Up ---


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_everybody_starts_with_six_birds_and_six_cards(players):
    table, _ = dealt(players)
    state = table.state()
    for seat in range(1, players + 1):
        assert (birds(table, seat), reserve(table, seat), hand(table, seat)) == ("", 6, ALL)
    assert (len(state["crows"]), state["crow_supply"], len(state["hawks"]), state["hawk_supply"]) == (2, 4, 1, 2)
    assert (state["tokens"], state["token_supply"], state["active"]) == ([], 12, 1)
    assert (table.turn, table.round, decides(table)) == (1, 1, (1, "turn"))


@pytest.mark.parametrize(("players", "digits"), [(2, "1234567"), (3, "1234567"), (4, "123456789"), (6, "123456789")])
def test_dice_have_a_face_per_digit_and_one_special_face(players, digits):
    """8 or 10 faces with equal chance: black shows a crow, brown a hawk."""
    rolls = Counter()
    table, _ = dealt(players, hawks_at_start=0, crows_at_start=0)
    for seed in range(4000):
        table.deal(seed)
        rolls.update(zip(("black", "brown"), map(str, table.state()["roll"]), strict=True))
    faces = len(digits) + 1
    assert {face for die, face in rolls if die == "black"} == {*digits, "crow"}
    assert {face for die, face in rolls if die == "brown"} == {*digits, "hawk"}
    share, spread = 4000 / faces, (4000 / faces * (1 - 1 / faces)) ** 0.5
    assert all(abs(number - share) < 5 * spread for number in rolls.values())


def test_the_first_hawk_and_crows_fall_with_equal_chance_crows_off_its_corners_b5():
    """18 dots of 3000 / 18 each; a crow finds 45 free spots, the next 44."""
    dots, spots = Counter(), Counter()
    table, _ = dealt(2)
    for seed in range(3000):
        chance = table.deal(seed)
        state = table.state()
        assert chance[0] == {"hawk": state["hawks"][0]}
        assert sorted(event["crow"] for event in chance[1:3]) == state["crows"]
        assert chance[3] == {"roll": state["roll"]}
        dots[state["hawks"][0]] += 1
        spots.update(state["crows"])
        row, column = int(state["hawks"][0][0]), int(state["hawks"][0][1])
        assert not {f"{r}{c}" for r in (row, row + 1) for c in (column, column + 1)} & set(state["crows"])
    assert len(dots) == 18
    assert all(abs(number - 3000 / 18) < 5 * (3000 / 18) ** 0.5 for number in dots.values())
    assert len(spots) == 49
    assert max(spots.values()) < 1.5 * 6000 / 49


def test_the_first_player_may_choose_b5():
    table, chance = dealt(3, setup="choose")
    assert (chance, decides(table), table.state()["roll"]) == ([], (1, "place_hawk"), None)
    assert len(options(table, "hawk_to")) == 18
    play(table, "hawk_to 22-33")
    assert decides(table) == (1, "place_crow")
    assert options(table, "crow_to")[:9] == ["11", "12", "13", "14", "15", "16", "17", "21", "24"]
    assert len(options(table, "crow_to")) == 45
    play(table, "crow_to 24")
    assert len(options(table, "crow_to")) == 44
    chance = play(table, "crow_to 11")
    state = table.state()
    assert (state["hawks"], state["crows"], state["crow_supply"], state["hawk_supply"]) == (
        ["22-33"],
        ["11", "24"],
        4,
        2,
    )
    assert chance == [{"roll": state["roll"]}]
    assert (table.turn, decides(table)) == (1, (1, "turn"))
    assert counters(table, "crows_placed") == counters(table, "hawks_placed") == [0, 0, 0]


def test_what_starts_in_the_tree_is_a_rule():
    table, chance = dealt(2, crows_at_start=4, hawks_at_start=0, crows=9, hawks=5, tokens=3)
    state = table.state()
    assert (len(state["crows"]), state["crow_supply"], state["hawk_supply"], state["token_supply"]) == (4, 5, 5, 3)
    assert [next(iter(event)) for event in chance] == ["crow"] * 4 + ["roll"]
    table, chance = dealt(2, crows_at_start=0, hawks_at_start=0, setup="choose")
    assert decides(table) == (1, "turn")


# --- On Your Turn ---


def test_turns_pass_clockwise_and_rounds_with_seat_1(birds_table):
    table = birds_table(3, hands={1: ALL, 2: ALL, 3: ALL})
    seen = []
    for number in range(7):
        seen.append((table.to_move, table.turn, table.round))
        table, _ = with_roll(table, f"place {options(table, 'place')[0]}", (number + 1, (number + 1) % 7 + 1))
    assert seen == [(1, 1, 1), (2, 2, 1), (3, 3, 1), (1, 4, 2), (2, 5, 2), (3, 6, 2), (1, 7, 3)]


# --- Rolling Doubles ---


def test_doubles_bring_back_the_card_played_last(birds_table):
    table = birds_table(3, hands={2: "roll"}, discards={2: "peck mock"})
    table, chance = with_roll(table, "place 24", (4, 4))
    assert chance == [{"roll": [4, 4]}, {"regain": "mock"}]
    assert (hand(table, 2), discards(table, 2)) == ("roll mock", "peck")
    assert table.legal() == [{"place": "44"}, {"play": "roll"}, {"play": "mock"}]
    assert counters(table, "doubles") == [0, 1, 0]
    assert counters(table, "cards_regained") == [0, 1, 0]


def test_doubles_with_nothing_discarded_bring_nothing_b19(birds_table):
    table = birds_table(3, hands={2: "roll"})
    table, chance = with_roll(table, "place 24", (4, 4))
    assert chance == [{"roll": [4, 4]}]
    assert hand(table, 2) == "roll"


def test_a_hawk_and_a_crow_are_doubles_the_card_first_b18(birds_table):
    table = birds_table(3, discards={2: "roll"})
    table, chance = with_roll(table, "place 24", ("crow", "hawk"))
    assert chance == [{"roll": ["crow", "hawk"]}, {"regain": "roll"}]
    assert {"play": "roll"} in table.legal()


@pytest.mark.parametrize("roll", [(4, 5), ("crow", 4), (4, "hawk")])
def test_other_rolls_bring_nothing_back(birds_table, roll):
    table, chance = with_roll(birds_table(3, discards={2: "roll"}), "place 24", roll)
    assert chance == [{"roll": list(roll)}]
    assert hand(table, 2) == ""


# --- Tokens ---


def test_a_player_without_cards_may_place_a_token_on_an_empty_rolled_spot_b25(birds_table):
    table = birds_table(3, {2: "24"}, token_supply=12)
    assert table.legal() == [{"place": "24"}, {"place": "42"}, {"token": "42"}]
    play(table, "token 42")
    state = table.state()
    assert (state["tokens"], state["token_supply"]) == (["42"], 11)
    assert counters(table, "tokens_placed") == [1, 0, 0]
    assert table.turn == 2


def test_threatened_spots_take_tokens_too_b25(birds_table):
    table = birds_table(3, hawks="22-33", roll=[2, 3], token_supply=12)
    assert options(table, "token") == ["23", "32"]


def test_doubles_have_one_spot_for_a_token(birds_table):
    assert options(birds_table(3, roll=[4, 4], token_supply=12), "token") == ["44"]


def test_no_token_with_cards_in_hand_or_none_left_or_after_a_special_roll(birds_table):
    assert options(birds_table(3, hands={1: "peck"}, token_supply=12), "token") == []
    assert options(birds_table(3, token_supply=0), "token") == []
    assert options(birds_table(3, roll=["crow", 2], token_supply=12), "token") == []
    assert options(birds_table(3, roll=[2, "hawk"], token_supply=12), "token") == []


def test_the_spot_is_out_of_play_for_good(birds_table):
    table = birds_table(3, tokens="24")
    assert options(table, "place") == ["42"]
    assert options(birds_table(3, tokens="24", roll=["crow", 4]), "crow_to").count("24") == 0


# --- re-rolls (Tokens; B26) ---


def test_when_nothing_is_legal_the_roll_is_repeated_in_the_same_turn_b26(birds_table):
    """Seat 2 finds 55 and nothing else, on a board full of crows."""
    table = full_board(birds_table, free="11 55", box={"birds": 6, "crows": 47, "hawks": 0})
    table, chance = with_roll(table, "place 11", (3, 4), (5, 5))
    assert chance == [{"roll": [3, 4]}, {"roll": [5, 5]}]
    assert (table.turn, table.legal()) == (2, [{"place": "55"}])
    assert counters(table, "re_rolls") == [0, 1, 0]
    assert counters(table, "doubles") == [0, 1, 0]


def full_board(birds_table, free, **more):
    """A board whose spots are all tokens but the free ones; seat 1 has rolled the first of those."""
    spots = [f"{row}{column}" for row in range(1, 8) for column in range(1, 8)]
    first = free.split()[0]
    tokens = " ".join(spot for spot in spots if spot not in free.split())
    rules = {"crows": 0, "crows_at_start": 0, "hawks": 0, "hawks_at_start": 0, **more.pop("rules", {})}
    roll = [int(digit) for digit in first]
    return birds_table(3, rules=rules, tokens=tokens, roll=roll, crow_supply=0, hawk_supply=0, **more)


def test_doubles_count_in_re_rolls_b26(birds_table):
    """SHOO, PECK and SWOOP can do nothing for seat 2, MOCK neither; ROLL can."""
    table = full_board(birds_table, "11", discards={2: "roll shoo"})
    table, chance = with_roll(table, "place 11", (3, 3), (4, 4))
    assert chance == [{"roll": [3, 3]}, {"regain": "shoo"}, {"roll": [4, 4]}, {"regain": "roll"}]
    assert table.legal() == [{"play": "roll"}]
    assert table.turn == 2


def test_a_thousand_rolls_by_roll_in_a_turn_are_a_deadlock_b26(birds_table):
    """Doubles bring ROLL back again and again, and nothing else is ever legal."""
    table = full_board(birds_table, "11", discards={2: "roll"})
    table, _ = with_roll(table, "place 11", (4, 4))
    for _ in range(1000):
        assert table.legal() == [{"play": "roll"}]
        table.apply({"play": "roll"})
    assert not table.over
    table.apply({"play": "roll"})
    assert over(table) == "deadlock"
    assert table.turn == 2


def test_a_thousand_re_rolls_in_a_row_are_a_deadlock_b26(birds_table):
    """The list of what chance did holds the first 40 rolls and the last."""
    table = full_board(birds_table, "11", token_supply=1)
    chance = play(table, "token 11")
    assert over(table) == "deadlock"
    assert winners(table) == {}
    assert len(rolls_of(chance)) == 41
    assert chance[40] == {"more_rolls": 1001 - 41}
    assert counters(table, "re_rolls") == [0, 1000, 0]
    assert table.state()["roll"] is None


def test_few_re_rolls_are_all_listed(birds_table):
    """11 or 66 is found after some 32 rolls; where it takes more than 40, the others are only counted."""
    lengths = set()
    for seed in range(60):
        table = full_board(birds_table, "11 66")
        table.states["streams"][0][1] = seed
        chance = play(table, "place 11")
        rolls, more = rolls_of(chance), [event["more_rolls"] for event in chance if "more_rolls" in event]
        made = counters(table, "re_rolls")[1] + 1
        assert len(rolls) + sum(more) == made
        assert (len(rolls), more) == ((made, []) if made <= 41 else (41, [made - 41]))
        assert rolls[-1] in ((1, 1), (6, 6))
        lengths.add(made > 41)
    assert lengths == {True, False}


# --- How To Win ---


SHAPES = {
    "square": ("11 12 21", "22", "11 12 21 22"),
    "across": ("24 25 26", "27", "24 25 26 27"),
    "down": ("13 23 33", "43", "13 23 33 43"),
    "falling": ("22 33 44", "55", "22 33 44 55"),
    "rising": ("16 25 34", "43", "16 25 34 43"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_square_or_a_line_of_four_wins(birds_table, name):
    three, last, spots = SHAPES[name]
    table = birds_table(3, {1: three}, roll=[int(digit) for digit in last])
    play(table, f"place {last}")
    shape = "square" if name == "square" else "line"
    assert over(table) == "win"
    assert table.state()["flock"] == {"seat": 1, "shape": shape, "spots": spots.split()}
    assert winners(table) == {1: 1.0}
    assert counters(table, f"won_{shape}") == [1, 0, 0]
    assert sum(counters(table, f"won_{'line' if name == 'square' else 'square'}")) == 0
    assert counters(table, "won_own_turn") == [1, 0, 0]
    number = ["square", "across", "rising", "down", "falling"].index(name) + 1
    flock_at = 10 * int(spots[:2]) + number
    assert counters(table, "flock_at") == [flock_at, 0, 0]
    assert flock_places(table.game.parameters.build(3), 3)[flock_at] == tuple(spots.split())
    assert [(place["rank"], place["score"]) for place in table.end()["ranking"]] == [(1, 1), (2, 0), (2, 0)]


@pytest.mark.parametrize(
    ("three", "last"), [("12 23 34", "45"), ("17 26 35", "44"), ("11 12 13", "15"), ("11 13", "22")]
)
def test_what_is_no_flock(birds_table, three, last):
    """Diagonals without branches, a gap, two birds too few."""
    table = birds_table(3, {1: three}, roll=[int(digit) for digit in last])
    play(table, f"place {last}")
    assert not table.over


def test_birds_of_others_make_no_flock(birds_table):
    table = birds_table(3, {1: "11 12", 2: "21"}, roll=[2, 2])
    play(table, "place 22")
    assert not table.over


def test_a_flock_on_the_outer_ring(birds_table):
    table = birds_table(4, {1: "88 81 82"}, roll=[8, 3])
    play(table, "place 83")
    assert table.state()["flock"]["spots"] == ["88", "81", "82", "83"]
    assert counters(table, "flock_at")[0] // 10 == 88


def test_a_hawk_breaks_no_branch_b2(birds_table):
    """The hawk is between them: birds placed by hand under it, as no play would leave them."""
    table = birds_table(3, {1: "22 33 44"}, hawks="16-27", roll=[5, 5])
    play(table, "place 55")
    assert over(table) == "win"


@pytest.mark.parametrize(("rule", "wins"), [({}, True), ({"win_square": False}, False), ({"win_line": False}, True)])
def test_whether_squares_win_is_a_rule(birds_table, rule, wins):
    table = birds_table(3, {1: "11 12 21"}, rule, roll=[2, 2])
    play(table, "place 22")
    assert table.over == wins


@pytest.mark.parametrize(("rule", "wins"), [({}, True), ({"win_square": False}, True), ({"win_line": False}, False)])
@pytest.mark.parametrize("name", ["across", "down", "falling", "rising"])
def test_whether_lines_win_is_a_rule(birds_table, rule, wins, name):
    three, last, _ = SHAPES[name]
    table = birds_table(3, {1: three}, rule, roll=[int(digit) for digit in last])
    play(table, f"place {last}")
    assert table.over == wins


def test_a_square_goes_before_a_line_in_what_is_told(birds_table):
    table = birds_table(3, {1: "11 12 13 33 34"}, roll=[1, 4], box={"birds": 8}, rules={"birds": 8})
    play(table, "place 14")
    assert table.state()["flock"]["shape"] == "line"
    table = birds_table(3, {1: "11 12 13 14 23"}, roll=[2, 4], box={"birds": 8}, rules={"birds": 8})
    play(table, "place 24")
    assert table.state()["flock"] == {"seat": 1, "shape": "square", "spots": ["13", "14", "23", "24"]}


def pushed_into_a_flock(birds_table, **rules):
    """Seat 1 displaces seat 2's bird, which completes a square."""
    table = birds_table(3, {2: "33 34 43 45"}, rules, roll=[4, 5])
    play(table, "place 45", "displace 44")
    return table


def test_a_flock_wins_on_anothers_turn_b3(birds_table):
    table = pushed_into_a_flock(birds_table)
    assert over(table) == "win"
    assert table.state()["flock"] == {"seat": 2, "shape": "square", "spots": ["33", "34", "43", "44"]}
    assert counters(table, "won_other_turn") == [0, 1, 0]
    assert counters(table, "won_own_turn") == [0, 0, 0]
    assert table.turn == 1


def test_or_only_at_the_end_of_an_own_turn_if_it_still_stands_b3(birds_table):
    table = birds_table(3, {2: "33 34 43 45"}, {"win_check": "active"}, roll=[4, 5])
    play(table, "place 45")
    table, _ = with_roll(table, "displace 44", (1, 2))
    assert not table.over
    play(table, "place 12")
    assert over(table) == "win"
    assert counters(table, "won_own_turn") == [0, 1, 0]


def test_a_flock_broken_before_the_own_turns_end_does_not_win_b3(birds_table):
    table = birds_table(3, {2: "33 34 43 45"}, {"win_check": "active"}, hands={2: "swoop"}, roll=[4, 5])
    play(table, "place 45", "displace 44", "play swoop", "lift 44", "fly_to 54")
    assert not table.over


def both_have_flocks(birds_table, active, **rules):
    """`active` displaces seat 1's bird from 45 to 44, and both have a square then."""
    where = {1: "33 34 43 45", 3: "46 55 56"}
    return birds_table(3, where, rules, active=active, roll=[4, 5])


def test_the_active_player_wins_before_others_b4(birds_table):
    table = both_have_flocks(birds_table, 3)
    play(table, "place 45", "displace 44")
    assert winners(table) == {3: 1.0}
    assert table.state()["flock"]["seat"] == 3
    assert counters(table, "won_square") == [0, 0, 1]


def test_or_they_share_b4(birds_table):
    table = both_have_flocks(birds_table, 3, several_flocks="shared")
    play(table, "place 45", "displace 44")
    assert winners(table) == {1: 0.5, 3: 0.5}
    assert table.state()["flock"]["seat"] == 3
    assert counters(table, "won_square") == [1, 0, 1]
    assert [place["score"] for place in table.end()["ranking"]] == [1, 1, 0]


@pytest.mark.parametrize(
    ("active", "first", "second", "winner"), [(1, 2, 4, 2), (4, 2, 3, 2), (3, 1, 2, 1), (3, 4, 1, 4), (2, 1, 2, 2)]
)
def test_then_the_nearest_clockwise_wins_b4(birds_table, active, first, second, winner):
    """Both flocks stand already, by hand."""
    table = birds_table(4, {first: "11 12 21 22", second: "71 72 61 62"}, active=active, roll=[3, 5])
    play(table, "place 35")
    assert winners(table) == {winner: 1.0}


def test_a_win_with_a_card_is_counted_for_the_last_one_played(birds_table):
    table = birds_table(3, {1: "11 12 21 33"}, hands={1: "roll swoop"})
    table, _ = with_roll(table, "play roll", (5, 6))
    play(table, "play swoop", "lift 33", "fly_to 22")
    assert counters(table, "won_with_swoop") == [1, 0, 0]
    assert counters(table, "won_with_roll") == [0, 0, 0]
    table = birds_table(3, {1: "11 12 21"}, hands={1: "roll"})
    table, _ = with_roll(table, "play roll", (2, 2))
    play(table, "place 22")
    assert counters(table, "won_with_roll") == [1, 0, 0]


def test_a_card_of_an_earlier_turn_has_no_part_in_a_win(birds_table):
    table = birds_table(3, {1: "77", 2: "11 12 21"}, hands={1: "swoop"})
    play(table, "play swoop", "lift 77")
    table, _ = with_roll(table, "fly_to 76", (2, 2))
    play(table, "place 22")
    assert over(table) == "win"
    assert counters(table, "won_with_swoop") == [0, 0, 0]


# --- the end of an endless game (B28) ---


def test_the_cap_ends_the_game_without_a_winner_b28(birds_table):
    table = birds_table(3, rules={"turn_cap": 2})
    table, _ = with_roll(table, "place 24", (1, 2))
    chance = play(table, "place 12")
    assert (over(table), table.turn, chance) == ("turn_cap", 2, [])
    assert winners(table) == {}
    state = table.state()
    assert (state["active"], state["roll"], state["flock"], table.to_move) == (None, None, None, None)


def test_a_win_goes_before_the_cap_b28(birds_table):
    table = birds_table(3, {1: "11 12 21"}, {"turn_cap": 1}, roll=[2, 2])
    play(table, "place 22")
    assert over(table) == "win"


@pytest.mark.parametrize(("players", "flocks"), [(2, 72 + 36), (3, 72 + 36), (4, 144 + 64), (6, 144 + 64)])
def test_every_flock_has_a_place_on_the_map(players, flocks):
    covers = flock_places(load_game("4-the-birds").parameters.build(players), players)
    assert len(covers) == len(set(covers.values())) == flocks
    assert all(len(set(spots)) == 4 for spots in covers.values())
