"""Flock Together, rule by rule: set-up and turns (T1 to T15 are rulings)."""

from collections import Counter

import pytest
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.games import load_game

from tests.oracle.flock_together import SPECIES, Complaint, by_rarity, standard_rules
from tests.rules.positions import (
    about_to_fly,
    about_to_fly_only,
    cards_on,
    collection,
    draw,
    flights,
    fly,
    hand,
    moment,
    play,
    row,
)

# ------------------------------------------------------------------------------- Overview, The species


def test_standard_parameters_are_the_rulebook_s():
    """The species, Setup, Winning the game; the species table of the rulings."""
    assert load_game("flock-together").parameters.build(4).model_dump() == standard_rules()


@pytest.mark.parametrize("players", [1, 6])
def test_two_to_five_players(players):
    """Overview."""
    with pytest.raises(FlocksimError, match="players"):
        load_game("flock-together").check_players(players)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_decks_in_eight_species(empty_table, players):
    """Overview, The species: 16 cards of each pair of ranks, 8 of J, Q and K, 104 in all."""
    table = empty_table(players)
    table.deal(seed=1, block=0)
    assert cards_on(table) == by_rarity(16, 8)
    assert cards_on(table).total() == 104


# ------------------------------------------------------------------------------------------------ Setup


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_setup_deals_rows_hands_and_collections(empty_table, players):
    """Setup: 4 rows of 3, hands of 8, one bird each, the rest is the draw pile."""
    table = empty_table(players)
    table.deal(seed=2, block=0)
    state = table.state()
    seats = [str(seat) for seat in range(1, players + 1)]
    assert [len(cards) for cards in state["rows"]] == [3, 3, 3, 3]
    assert {seat: sum(state["hands"][seat].values()) for seat in seats} == dict.fromkeys(seats, 8)
    assert {seat: sum(state["collections"][seat].values()) for seat in seats} == dict.fromkeys(seats, 1)
    assert len(state["draw_pile"]) == 104 - 12 - 9 * players - sum(state["discard"].values())


def test_setup_rows_hold_three_different_species(empty_table):
    """Setup, Rows."""
    table = empty_table(4)
    for seed in range(40):
        table.deal(seed=seed, block=0)
        assert all(len(set(cards)) == 3 for cards in table.state()["rows"])


def test_the_dealer_takes_the_first_turn(empty_table):
    """Setup; T13: seat 1 is the first dealer."""
    table = empty_table(3)
    table.deal(seed=3, block=0)
    assert moment(table) == (1, 1, "play")
    assert table.state()["round"] == 1


def test_t1_setup_goes_row_by_row_then_hand_by_hand_then_collections(empty_table):
    """T1: the order of the deal, the dealer first and then clockwise."""
    table = empty_table(3)
    events = table.deal(seed=4, block=0)
    kept = [(event["to"], event.get("row", event.get("seat"))) for event in events if event["to"] != "discard"]
    rows = [("row", number) for number in (1, 2, 3, 4) for _ in range(3)]
    hands = [("hand", seat) for seat in (1, 2, 3) for _ in range(8)]
    assert kept == rows + hands + [("collection", 1), ("collection", 2), ("collection", 3)]


def test_t1_rejected_card_starts_the_discard_pile_and_is_replaced_at_once(empty_table):
    """Setup, Rows; T1: exactly the cards that repeat a species of the row under way are rejected."""
    table = empty_table(2)
    rejected = 0
    for seed in range(20):
        row_under_way, discard = [], Counter()
        for event in table.deal(seed=seed, block=0):
            if event["to"] == "row":
                row_under_way = [*row_under_way, event["card"]] if len(row_under_way) < 3 else [event["card"]]
            if event["to"] == "discard":
                assert len(row_under_way) in (1, 2)
                assert event["card"] in row_under_way
                discard[event["card"]] += 1
        assert table.state()["discard"] == discard
        rejected += discard.total()
    assert rejected > 0


# ------------------------------------------------------------------------- Playing a turn, 1. Play cards


def test_any_species_in_hand_to_either_end_of_any_row(new_table):
    """Play cards: the row may hold any species; T14: left and right are always two actions."""
    table = new_table(rows=["Q", "A-2 J A-2"], hands={1: "3-4 3-4 K"})
    expected = {
        (species, number, end) for species in ("3-4", "K") for number in (1, 2, 3, 4) for end in ("left", "right")
    }
    told = [(action["play"], action["row"], action["end"]) for action in table.legal()]
    assert set(told) == expected
    assert len(told) == len(expected)


@pytest.mark.parametrize(
    "action",
    [
        {"play": "Q", "row": 1, "end": "left"},
        {"play": "K", "row": 5, "end": "left"},
        {"fly": "none"},
        {"draw": "yes"},
    ],
)
def test_other_actions_are_refused(new_table, action):
    """Play cards: a species in hand, to a row on the table, and before anything else."""
    table = new_table(hands={1: "3-4 3-4 K K"})
    with pytest.raises((FlocksimError, Complaint)):
        table.apply(action)


def test_all_cards_of_the_species_are_laid_side_by_side(new_table):
    """Play cards: none may be kept back."""
    table = new_table(rows=["A-2 K"], hands={1: "3-4 3-4 3-4 K"})
    play(table, "3-4", end="left")
    assert row(table) == "3-4 3-4 3-4 A-2 K"
    assert hand(table) == {"K": 1}


def test_catch_at_the_right_end(new_table):
    """Catching: everything between the new cards and the nearest of their species; the gap is closed."""
    table = new_table(rows=["J 3-4 K 9-10"], hands={1: "3-4 Q"})
    play(table, "3-4", end="right")
    assert row(table) == "J 3-4 3-4"
    assert hand(table) == {"9-10": 1, "Q": 1, "K": 1}


def test_catch_at_the_left_end(new_table):
    """Catching, from the other side."""
    table = new_table(rows=["9-10 K 3-4 J"], hands={1: "3-4 Q"})
    play(table, "3-4", end="left")
    assert row(table) == "3-4 3-4 J"
    assert hand(table) == {"9-10": 1, "Q": 1, "K": 1}


@pytest.mark.parametrize("cards", ["Q J 3-4 K K 3-4 A-2", "3-4 J Q", "K 3-4 3-4 J 3-4 Q", "J Q K"])
def test_left_and_right_are_mirror_images(new_table, cards):
    """Catching: laying left of a row is laying right of the row read backwards."""
    backwards = " ".join(reversed(cards.split()))
    table, mirrored = (new_table(rows=[fence], hands={1: "3-4 3-4 7-8"}, top="7-8") for fence in (cards, backwards))
    play(table, "3-4", end="right")
    play(mirrored, "3-4", end="left")
    assert hand(table) == hand(mirrored)
    assert moment(table) == moment(mirrored)
    if len(set(row(table).split())) > 1 and "7-8" not in row(table):
        assert row(mirrored).split() == list(reversed(row(table).split()))


@pytest.mark.parametrize(("end", "left_over"), [("right", "Q 7-8 Q Q"), ("left", "Q Q 7-8 Q J")])
def test_t2_only_up_to_the_nearest_card_of_the_species(new_table, end, left_over):
    """T2: with several matching cards in the row, only the nearest closes the gap."""
    table = new_table(rows=["Q 7-8 Q J"], hands={1: "Q 3-4"})
    play(table, "Q", end=end)
    assert row(table) == left_over
    assert hand(table) == ({"3-4": 1, "J": 1} if end == "right" else {"3-4": 1})


def test_t2_cards_just_laid_do_not_close_a_gap(new_table):
    """T2: two cards laid at once catch nothing by themselves."""
    table = new_table(rows=["J K"], hands={1: "3-4 3-4 Q"})
    play(table, "3-4")
    assert row(table) == "J K 3-4 3-4"
    assert hand(table) == {"Q": 1}


def test_nothing_caught_without_the_species_in_the_row(new_table):
    """Nothing caught: a draw is offered."""
    table = new_table(rows=["J K"], hands={1: "3-4 Q"})
    play(table, "3-4")
    assert hand(table) == {"Q": 1}
    assert table.legal() in ([{"draw": "yes"}, {"draw": "no"}], [{"draw": "no"}, {"draw": "yes"}])


def test_nothing_caught_from_a_neighbour(new_table):
    """Nothing caught: a matching card right next to the new ones leaves nothing in between."""
    table = new_table(rows=["J K 3-4"], hands={1: "3-4 Q"})
    play(table, "3-4")
    assert row(table) == "J K 3-4 3-4"
    assert moment(table) == (1, 1, "draw")


def test_no_draw_after_a_catch(new_table):
    """Nothing caught: the draw is for those who caught nothing."""
    table = new_table(rows=["J 3-4 K"], hands={1: "3-4 5-6"})
    assert play(table, "3-4") == []
    assert moment(table) == (2, 2, "play")


def test_the_draw_is_the_top_two_cards(new_table):
    """Nothing caught: two cards off the top of the draw pile."""
    table = new_table(rows=["J K"], hands={1: "3-4 5-6"}, top="9-10 7-8")
    play(table, "3-4")
    assert draw(table) == [
        {"card": "9-10", "to": "hand", "seat": 1},
        {"card": "7-8", "to": "hand", "seat": 1},
    ]
    assert hand(table) == {"5-6": 1, "7-8": 1, "9-10": 1}
    assert moment(table) == (2, 2, "play")


def test_the_draw_may_be_declined(new_table):
    """Nothing caught: drawing is a choice."""
    table = new_table(rows=["J K"], hands={1: "3-4 5-6"})
    play(table, "3-4")
    assert draw(table, "no") == []
    assert hand(table) == {"5-6": 1}
    assert moment(table) == (2, 2, "play")


def test_anna_s_catch_and_refill(new_table):
    """Play cards, the example: three cards caught, then two cards turned up."""
    table = new_table(rows=["3-4 K 9-10 7-8"], hands={1: "3-4 3-4"}, top="3-4 Q J")
    events = play(table, "3-4", end="right")
    assert events == [{"card": "3-4", "to": "row", "row": 1}, {"card": "Q", "to": "row", "row": 1}]
    assert row(table) == "3-4 3-4 3-4 3-4 Q"
    assert hand(table) == {"7-8": 1, "9-10": 1, "K": 1}
    assert table.state()["draw_pile"][0] == "J"


@pytest.mark.parametrize(("cards", "end"), [("3-4 K", "right"), ("K 3-4", "left")])
def test_t6_refill_goes_to_the_right_end(new_table, cards, end):
    """T6: whichever end was played to."""
    table = new_table(rows=[cards], hands={1: "3-4 5-6"}, top="3-4 J")
    play(table, "3-4", end=end)
    assert row(table) == "3-4 3-4 3-4 J"


def test_refill_stops_at_two_species(new_table):
    """Refilling a row: no more cards than it takes."""
    table = new_table(rows=["3-4 K"], hands={1: "3-4 5-6"}, top="Q J")
    assert play(table, "3-4") == [{"card": "Q", "to": "row", "row": 1}]


def test_no_refill_while_two_species_remain(new_table):
    """Refilling a row: only a row of a single species."""
    table = new_table(rows=["J 3-4 K"], hands={1: "3-4 5-6"})
    assert play(table, "3-4") == []
    assert row(table) == "J 3-4 3-4"


def test_t6_no_refill_without_a_catch(new_table):
    """Refilling a row, T6: laying on a single-species row does not refill it."""
    table = new_table(rows=["3-4 3-4"], hands={1: "3-4 5-6"})
    assert play(table, "3-4") == []
    assert draw(table, "no") == []
    assert row(table) == "3-4 3-4 3-4"


# ------------------------------------------------------------------------- Playing a turn, 2. Fly a flock


@pytest.mark.parametrize("species", SPECIES)
@pytest.mark.parametrize("short", [0, 1])
def test_small_flock_size(new_table, species, short):
    """The species; Fly a flock: a small flock flies, one card fewer does not."""
    size = by_rarity(5, 2)[species]
    table, caught = about_to_fly_only(new_table, species, size - short)
    if short:
        assert moment(table) == (2, 2, "play")
        return
    assert sorted(flights(table)) == sorted(["none", species])
    fly(table, species)
    assert collection(table) == Counter(["9-10", species])
    assert table.state()["discard"] == {species: size - 1}
    assert hand(table) == caught


@pytest.mark.parametrize("species", SPECIES)
@pytest.mark.parametrize(("extra", "gain"), [(-1, 1), (0, 2), (1, 2)])
def test_t10_big_flock_takes_two(new_table, species, extra, gain):
    """The species; T10: from the big flock on two cards must be taken, and all shown leave the hand."""
    size = by_rarity(7, 3)[species] + extra
    table, caught = about_to_fly_only(new_table, species, size)
    assert sorted(flights(table)) == sorted(["none", species])
    fly(table, species)
    assert collection(table) == Counter(["9-10"] + [species] * gain)
    assert table.state()["discard"] == {species: size - gain}
    assert hand(table) == caught


def test_ben_s_six_cards_are_a_small_flock(new_table):
    """Fly a flock, the example: six of the 7-8 species keep one card."""
    table = about_to_fly(new_table, "7-8 7-8 7-8 7-8 7-8 7-8")
    fly(table, "7-8")
    assert collection(table) == {"7-8": 1, "9-10": 1}
    assert table.state()["discard"] == {"7-8": 5}


def test_ben_lays_all_six_if_he_plays_them(new_table):
    """Fly a flock, the example: in step 1 all six must be laid."""
    table = new_table(rows=["J K"], hands={1: "7-8 7-8 7-8 7-8 7-8 7-8 Q"})
    play(table, "7-8")
    assert row(table) == "J K 7-8 7-8 7-8 7-8 7-8 7-8"
    assert hand(table) == {"Q": 1}


def test_only_one_flight_a_turn(new_table):
    """Fly a flock: a second flock has to wait."""
    table = about_to_fly(new_table, "J J Q Q")
    assert sorted(flights(table)) == ["J", "Q", "none"]
    fly(table, "Q")
    assert moment(table) == (2, 2, "play")
    assert hand(table) == {"5-6": 1, "J": 2}


def test_a_flight_may_be_declined(new_table):
    """Fly a flock: it is optional."""
    table = about_to_fly(new_table, "Q Q")
    fly(table, "none")
    assert moment(table) == (2, 2, "play")
    assert hand(table) == {"5-6": 1, "Q": 2}
    assert collection(table) == {"9-10": 1}


def test_caught_and_drawn_cards_may_fly(new_table):
    """Fly a flock: the flight looks at the hand after step 1."""
    table = new_table(rows=["9-10 K"], hands={1: "9-10 K 5-6"}, top="J")
    play(table, "9-10")
    assert sorted(flights(table)) == ["K", "none"]


def test_t11_species_just_laid_may_fly_if_drawn_again(new_table):
    """T11: no special rule for it."""
    table = new_table(rows=["J K"], hands={1: "Q 5-6"}, top="Q Q")
    play(table, "Q")
    draw(table)
    assert sorted(flights(table)) == ["Q", "none"]
    fly(table, "Q")
    assert collection(table) == {"9-10": 1, "Q": 1}
