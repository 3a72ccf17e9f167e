"""Flock Together, rule by rule: one named test for each rule and each ruling (T1 to T15).

Every test that takes `new_table` runs twice: on the simulator's table and on the oracle's, so that the
oracle which referees traced games is held to the same examples. Positions come from `position`, which puts
every card that a test does not name somewhere harmless, so that all 104 are on the table.
"""

from collections import Counter

import pytest
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table

from tests.oracle.flock_together import SPECIES, Complaint, OracleTable, by_rarity, standard_rules

RARE = ("J", "Q", "K")
PLAIN_ROW = "A-2 5-6 9-10"
SIX_SPECIES = "A-2 3-4 5-6 7-8 J K"


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


def position(players, rows=(), hands=None, birds=None, top="", discard="", rest="draw pile", cards=None, **more):
    """A state from words: unnamed rows, hands and collections get plain cards.

    `top` is the top of the draw pile; the remaining cards go below it or, with rest="row", into row 4.
    """
    seats = range(1, players + 1)
    rows = [row.split() for row in [*rows, *[PLAIN_ROW] * (4 - len(rows))]]
    hands = {seat: (hands or {}).get(seat, "A-2 5-6").split() for seat in seats}
    birds = {seat: (birds or {}).get(seat, "9-10").split() for seat in seats}
    pile, discard = top.split(), discard.split()
    left = Counter(cards or by_rarity(16, 8))
    left.subtract(Counter(card for part in [*rows, *hands.values(), *birds.values(), pile, discard] for card in part))
    assert min(left.values()) >= 0, f"more cards than there are: {left}"
    (pile if rest == "draw pile" else rows[-1]).extend(left.elements())
    return {
        "to_move": 1,
        "decision": "play",
        "turn": 1,
        "round": 1,
        "rows": rows,
        "hands": {str(seat): dict(Counter(hand)) for seat, hand in hands.items()},
        "collections": {str(seat): dict(Counter(birds[seat])) for seat in seats},
        "draw_pile": pile,
        "discard": dict(Counter(discard)),
        "end_reason": None,
        **more,
    }


def play(table, species, row=1, end="right"):
    return table.apply({"play": species, "row": row, "end": end})


def draw(table, answer="yes"):
    return table.apply({"draw": answer})


def fly(table, species):
    return table.apply({"fly": species})


def flights(table):
    return [action["fly"] for action in table.legal()]


def row(table, number=1):
    return " ".join(table.state()["rows"][number - 1])


def hand(table, seat=1):
    return table.state()["hands"][str(seat)]


def collection(table, seat=1):
    return table.state()["collections"][str(seat)]


def moment(table):
    state = table.state()
    return state["turn"], state["to_move"], state["decision"]


def end_reason(table):
    return table.end()["end_reason"] if table.end() else None


def cards_on(table):
    state = table.state()
    piles = [
        *state["hands"].values(),
        *state["collections"].values(),
        state["discard"],
        Counter(state["draw_pile"]),
        *map(Counter, state["rows"]),
    ]
    return sum((Counter(pile) for pile in piles), Counter())


def places(table):
    """The ranking as seat: (rank, score, win share)."""
    return {
        place["seat"]: (place["rank"], place["score"], pytest.approx(place["win_share"]))
        for place in table.end()["ranking"]
    }


# ------------------------------------------------------------------------------- Overview, The species


def test_standard_parameters_are_the_rulebook_s():
    """The species, Setup, Winning the game; the species table of the rulings."""
    assert load_game("flock-together").parameters.build(4).model_dump() == standard_rules()


@pytest.mark.parametrize("players", [1, 6])
def test_two_to_five_players(players):
    """Overview."""
    with pytest.raises(FlocksimError, match="players"):
        engine_table(players)


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


def about_to_fly(new_table, cards, laid="9-10", caught="5-6", **more):
    """A table at the flight of seat 1, who holds `cards` and what laying one card has caught."""
    table = new_table(rows=[f"J {laid} {caught}"], hands={1: f"{laid} {cards}"}, **more)
    play(table, laid)
    return table


def about_to_fly_only(new_table, species, size):
    """The same for a flock of `size`, with `3-4` and `A-2` laid and caught where they must differ from it."""
    laid, caught = ("3-4", "A-2") if species in ("5-6", "9-10") else ("9-10", "5-6")
    return about_to_fly(new_table, " ".join([species] * size), laid, caught), {caught: 1}


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


# ---------------------------------------------------------------------------------------- End of a round


def empty_hand_by_laying(table):
    """Seat to move lays its only card and declines the draw if it is asked."""
    events = play(table, "3-4")
    return events + (draw(table, "no") if moment(table)[2] == "draw" else [])


def test_round_ends_when_a_hand_is_empty_after_step_one(new_table):
    """End of a round; T4: hands are discarded, rows and collections stay, eight new cards each."""
    table = new_table(players=3, rows=["J K"], hands={1: "3-4", 2: "Q Q Q", 3: "J A-2"}, discard="7-8")
    before = table.state()
    empty_hand_by_laying(table)
    state = table.state()
    assert state["discard"] == {"A-2": 1, "7-8": 1, "J": 1, "Q": 3}
    assert state["rows"] == [["J", "K", "3-4"], *before["rows"][1:]]
    assert state["collections"] == before["collections"]
    assert [sum(cards.values()) for cards in state["hands"].values()] == [8, 8, 8]
    assert (state["turn"], state["round"], state["decision"]) == (2, 2, "play")
    assert cards_on(table) == by_rarity(16, 8)


def test_round_ends_when_a_flight_empties_the_hand(new_table):
    """End of a round: also after step 2."""
    table = new_table(rows=["9-10 Q"], hands={1: "9-10 Q", 2: "K K"}, top="J")
    play(table, "9-10")
    fly(table, "Q")
    assert table.state()["round"] == 2
    assert table.state()["discard"] == {"A-2": 2, "5-6": 2, "Q": 1, "K": 2}
    assert sum(hand(table).values()) == 8


def test_t4_no_flight_with_an_empty_hand(new_table):
    """T4: step 2 is skipped, even where a flock of the new hand could fly."""
    table = new_table(players=2, rules={"hand_size": 3}, rows=["J K"], hands={1: "3-4"}, top="Q Q Q Q Q Q", rest="row")
    empty_hand_by_laying(table)
    assert hand(table) == {"Q": 3}
    assert moment(table) == (2, 1, "play")


def test_t13_whoever_emptied_the_hand_deals_and_leads(new_table):
    """End of a round; T13: then clockwise."""
    table = new_table(players=3, rows=["J K"], hands={3: "3-4"}, to_move=3, turn=9, round=4)
    empty_hand_by_laying(table)
    assert moment(table) == (10, 3, "play")
    assert table.state()["round"] == 5


def test_t1_new_deal_gives_the_dealer_s_whole_hand_first(new_table):
    """T1: all of a hand at once, the new dealer's first, then clockwise."""
    table = new_table(players=3, rows=["J K"], hands={2: "3-4"}, to_move=2)
    events = empty_hand_by_laying(table)
    assert [event["seat"] for event in events] == [2] * 8 + [3] * 8 + [1] * 8
    assert {event["to"] for event in events} == {"hand"}


def test_play_goes_clockwise(new_table):
    """Setup: play goes clockwise, the last seat is followed by the first."""
    table = new_table(players=3, rows=["J K"], hands={3: "3-4 Q"}, to_move=3)
    empty_hand_by_laying(table)
    assert moment(table) == (2, 1, "play")


def test_t3_yes_draw_comes_before_the_hand_is_checked(new_table):
    """T3, yes: a hand emptied by laying may be saved by the draw."""
    table = new_table(rows=["J K"], hands={1: "3-4"}, top="Q J")
    play(table, "3-4")
    assert moment(table) == (1, 1, "draw")
    draw(table)
    assert hand(table) == {"J": 1, "Q": 1}
    assert (table.state()["round"], moment(table)) == (1, (2, 2, "play"))


def test_t3_yes_drawn_cards_may_fly_and_then_empty_the_hand(new_table):
    """T3, yes: the turn goes on as usual after the draw."""
    table = new_table(rows=["J K"], hands={1: "3-4"}, top="Q Q")
    play(table, "3-4")
    draw(table)
    fly(table, "Q")
    assert (table.state()["round"], moment(table)) == (2, (2, 1, "play"))


def test_t3_no_round_ends_without_an_offer(new_table):
    """T3, no: the hand is checked before any draw."""
    table = new_table(rules={"draw_before_empty_check": False}, rows=["J K"], hands={1: "3-4"})
    events = play(table, "3-4")
    assert [event["seat"] for event in events] == [1] * 8 + [2] * 8 + [3] * 8 + [4] * 8
    assert (table.state()["round"], moment(table)) == (2, (2, 1, "play"))


def test_t3_no_draw_is_still_offered_with_cards_in_hand(new_table):
    """T3, no: it concerns empty hands only."""
    table = new_table(rules={"draw_before_empty_check": False}, rows=["J K"], hands={1: "3-4 Q"})
    play(table, "3-4")
    assert moment(table) == (1, 1, "draw")


# --------------------------------------------------------------------------------------- Empty draw pile


def test_discard_is_shuffled_when_a_card_is_needed(new_table):
    """Empty draw pile: the draw takes the last card, the discard becomes the pile, the next comes off it."""
    table = new_table(rows=["J K"], hands={1: "3-4 5-6"}, top="Q", discard="7-8 7-8 7-8", rest="row")
    play(table, "3-4")
    assert draw(table) == [
        {"card": "Q", "to": "hand", "seat": 1},
        {"reshuffle": 3},
        {"card": "7-8", "to": "hand", "seat": 1},
    ]
    assert table.state()["draw_pile"] == ["7-8", "7-8"]
    assert table.state()["discard"] == {}


def test_t7_no_shuffle_before_a_card_is_needed(new_table):
    """T7: an emptied draw pile stays empty until the next card is needed."""
    table = new_table(rows=["J K"], hands={1: "3-4 5-6"}, top="Q 9-10", discard="7-8", rest="row")
    play(table, "3-4")
    draw(table)
    assert table.state()["draw_pile"] == []
    assert table.state()["discard"] == {"7-8": 1}


def test_empty_draw_pile_in_a_refill(new_table):
    """Empty draw pile: a refill shuffles the discard too."""
    table = new_table(rows=["3-4 K"], hands={1: "3-4 5-6"}, discard="7-8 7-8", rest="row")
    assert play(table, "3-4") == [{"reshuffle": 2}, {"card": "7-8", "to": "row", "row": 1}]
    assert row(table) == "3-4 3-4 7-8"


def test_empty_draw_pile_in_a_new_deal(new_table):
    """Empty draw pile: the deal goes on with the shuffled discard, thrown-away hands included."""
    table = new_table(
        players=2,
        rows=["J K"],
        hands={1: "3-4", 2: "Q Q Q Q"},
        top=" ".join(["5-6"] * 11),
        discard="7-8 7-8 7-8",
        rest="row",
    )
    events = empty_hand_by_laying(table)
    assert events[11] == {"reshuffle": 7}
    assert [event["seat"] for event in events if "seat" in event] == [1] * 8 + [2] * 8
    assert hand(table) == {"5-6": 8}
    assert hand(table, 2)["5-6"] == 3


@pytest.mark.parametrize("discard", ["", "7-8"])
def test_t7_no_draw_takes_what_there_is(new_table, discard):
    """T7, no: fewer than two cards left, and play goes on."""
    table = new_table(rows=["J K"], hands={1: "3-4 5-6"}, top="" if discard else "7-8", discard=discard, rest="row")
    play(table, "3-4")
    draw(table)
    assert hand(table) == {"5-6": 1, "7-8": 1}
    assert moment(table) == (2, 2, "play")


def test_t7_yes_game_ends_at_the_card_that_cannot_be_drawn(new_table):
    """T7, yes: the last card is still taken, then the game is stuck."""
    table = new_table(
        rules={"exhaustion_ends_game": True},
        rows=["J K"],
        hands={1: "3-4 Q"},
        top="Q",
        rest="row",
        birds={2: "9-10 9-10"},
    )
    play(table, "3-4")
    draw(table)
    assert end_reason(table) == "stuck"
    assert hand(table) == {"Q": 2}
    assert places(table) == {1: (2, 1, 0), 2: (1, 2, 1), 3: (2, 1, 0), 4: (2, 1, 0)}


def test_t7_yes_an_exact_draw_does_not_end_the_game(new_table):
    """T7, yes: the piles may run out as long as no card is missing."""
    table = new_table(rules={"exhaustion_ends_game": True}, rows=["J K"], hands={1: "3-4 Q"}, top="7-8 5-6", rest="row")
    play(table, "3-4")
    draw(table)
    assert table.end() is None
    assert moment(table) == (2, 2, "play")


def test_t7_no_row_stays_single_species_until_a_later_catch(new_table):
    """T7, no: a refill that finds no card is made up by the next catch in that row, not before."""
    table = new_table(
        rows=["Q K"], rest="row", hands={1: "Q 7-8 7-8 7-8 7-8 7-8 3-4", 2: "Q 3-4", 3: "J 3-4", 4: "Q 3-4"}
    )
    play(table, "Q")
    assert row(table) == "Q Q"
    fly(table, "7-8")
    play(table, "Q")
    draw(table, "no")
    assert row(table) == "Q Q Q"
    play(table, "J")
    draw(table, "no")
    assert play(table, "Q") == [{"reshuffle": 4}, {"card": "7-8", "to": "row", "row": 1}]
    assert row(table) == "Q Q Q Q 7-8"


def test_t7_yes_game_ends_at_the_refill_that_finds_no_card(new_table):
    """T7, yes: at once, before any flight."""
    table = new_table(rules={"exhaustion_ends_game": True}, rows=["Q K"], rest="row", hands={1: "Q K K 3-4"})
    play(table, "Q")
    assert end_reason(table) == "stuck"
    assert table.legal() == []
    assert hand(table) == {"3-4": 1, "K": 3}


# -------------------------------------------------------------------------------------- Winning the game


@pytest.mark.parametrize(("species", "wins"), [("Q", True), ("K", False)])
def test_seven_species_win(new_table, species, wins):
    """Winning the game: 7 different species; a second card of a sixth is not enough."""
    table = about_to_fly(new_table, f"{species} {species}", birds={1: SIX_SPECIES})
    fly(table, species)
    assert end_reason(table) == ("win" if wins else None)


@pytest.mark.parametrize(
    ("birds", "wins"),
    [("Q Q 5-6 5-6 5-6", True), ("Q Q 5-6 5-6", False), ("Q 5-6 5-6 5-6", False), ("Q Q Q Q Q", False)],
)
def test_two_species_with_three_cards_win(new_table, birds, wins):
    """Winning the game: both species need three cards."""
    table = about_to_fly(new_table, "Q Q", birds={1: birds})
    fly(table, "Q")
    assert end_reason(table) == ("win" if wins else None)


def test_carla_wins(new_table):
    """Winning the game, the example: a third Queen beside three 5-6 birds."""
    table = about_to_fly(new_table, "Q Q", birds={1: "Q Q 5-6 5-6 5-6 J", 2: "K K", 3: "K", 4: "K K"})
    fly(table, "Q")
    assert table.end()["end_reason"] == "win"
    assert collection(table) == {"5-6": 3, "J": 1, "Q": 3}
    assert places(table) == {1: (1, 7, 1), 2: (2, 2, 0), 3: (4, 1, 0), 4: (2, 2, 0)}
    assert [place["seat"] for place in table.end()["ranking"]] == [1, 2, 4, 3]
    assert (table.state()["to_move"], table.state()["decision"], table.legal()) == (None, None, [])


def test_the_winner_need_not_have_the_most_cards(new_table):
    """Winning the game: the winner ranks first whatever the scores."""
    table = about_to_fly(new_table, "Q Q", birds={1: "Q Q 5-6 5-6 5-6", 3: "K K K K K A-2 A-2 3-4 3-4"})
    fly(table, "Q")
    assert places(table) == {1: (1, 6, 1), 2: (3, 1, 0), 3: (2, 9, 0), 4: (3, 1, 0)}


def test_t5_a_win_comes_before_the_end_of_the_round(new_table):
    """T5: no discarding, no stuck test and no new deal."""
    table = new_table(rows=["9-10 Q"], hands={1: "9-10 Q", 2: "K K"}, birds={1: SIX_SPECIES}, top="J", rest="row")
    play(table, "9-10")
    fly(table, "Q")
    state = table.state()
    assert (state["end_reason"], state["round"], state["turn"]) == ("win", 1, 1)
    assert state["hands"] == {"1": {}, "2": {"K": 2}, "3": {"A-2": 1, "5-6": 1}, "4": {"A-2": 1, "5-6": 1}}
    assert state["discard"] == {"Q": 1}


def test_t12_no_win_on_another_player_s_turn(new_table):
    """T12: only the player whose turn it was is looked at."""
    table = new_table(rows=["J K"], hands={1: "3-4 Q", 2: "3-4 Q"}, birds={2: SIX_SPECIES + " Q"})
    empty_hand_by_laying(table)
    assert table.end() is None
    play(table, "3-4", row=2)
    draw(table, "no")
    assert end_reason(table) == "win"
    assert table.end()["ranking"][0] == {"seat": 2, "rank": 1, "score": 7, "win_share": 1.0}


def test_t12_the_check_comes_at_the_end_of_a_turn_without_a_flight(new_table):
    """Winning the game, T5, T12: also when the hand was emptied in step 1, and before the round ends."""
    table = new_table(rows=["J K"], hands={1: "3-4"}, birds={1: SIX_SPECIES + " Q"})
    empty_hand_by_laying(table)
    assert (end_reason(table), table.state()["round"], hand(table, 2)) == ("win", 1, {"A-2": 1, "5-6": 1})


# --------------------------------------------------------------------------------- If the game gets stuck


def nearly_stuck(new_table, pile=5, discard=3, **more):
    """Seat 1 of two lays its last card; seat 2 throws away eight cards."""
    birds = {"birds": {1: "K K", 2: "9-10"}, **more}
    table = new_table(
        players=2,
        rows=["J K"],
        hands={1: "3-4", 2: "A-2 A-2 A-2 A-2 5-6 5-6 5-6 5-6"},
        top=" ".join(["7-8"] * pile),
        discard=" ".join(["Q"] * discard),
        rest="row",
        **birds,
    )
    return table, empty_hand_by_laying(table)


def test_t8_exactly_enough_cards_for_a_deal(new_table):
    """If the game gets stuck; T8: draw pile, discard and hands together make two hands of eight."""
    table, events = nearly_stuck(new_table, pile=5, discard=3)
    assert table.end() is None
    assert events[5] == {"reshuffle": 11}
    assert (table.state()["draw_pile"], table.state()["discard"]) == ([], {})
    assert (table.state()["round"], moment(table)) == (2, (2, 1, "play"))


@pytest.mark.parametrize(("pile", "discard"), [(4, 3), (5, 2)])
def test_t8_one_card_too_few_for_a_deal(new_table, pile, discard):
    """If the game gets stuck; T8, T9: over at once, nothing is dealt, the largest collection wins."""
    table, events = nearly_stuck(new_table, pile=pile, discard=discard)
    state = table.state()
    assert events == []
    assert (state["end_reason"], state["turn"], state["round"]) == ("stuck", 1, 1)
    assert state["hands"] == {"1": {}, "2": {}}
    assert sum(state["discard"].values()) == discard + 8
    assert places(table) == {1: (1, 2, 1), 2: (2, 1, 0)}


def test_t9_stuck_tie_shares_the_win(new_table):
    """If the game gets stuck; T9: 1/k each for those tied."""
    birds = {1: "K", 2: "Q J", 3: "J J", 4: "Q Q"}
    table = new_table(rows=["J K"], hands={1: "3-4"}, birds=birds, rest="row")
    empty_hand_by_laying(table)
    third = 1 / 3
    assert end_reason(table) == "stuck"
    assert places(table) == {1: (4, 1, 0), 2: (1, 2, third), 3: (1, 2, third), 4: (1, 2, third)}
    assert [place["seat"] for place in table.end()["ranking"]] == [2, 3, 4, 1]


# ------------------------------------------------------------------------------------------ Further rulings


def test_t14_no_draw_asked_when_both_piles_are_empty(new_table):
    """T14: the turn simply goes on."""
    table = new_table(rows=["J K"], hands={1: "3-4 5-6"}, rest="row")
    assert play(table, "3-4") == []
    assert moment(table) == (2, 2, "play")


@pytest.mark.parametrize("exhaustion", [True, False])
@pytest.mark.parametrize("pile", [{"top": "Q"}, {"discard": "Q"}])
def test_t14_draw_is_asked_while_one_card_is_left(new_table, pile, exhaustion):
    """T14: both or none, unless the piles hold fewer."""
    table = new_table(
        rules={"exhaustion_ends_game": exhaustion}, rows=["J K"], hands={1: "3-4 5-6"}, rest="row", **pile
    )
    play(table, "3-4")
    assert sorted(action["draw"] for action in table.legal()) == ["no", "yes"]


def test_t14_flight_is_asked_only_if_a_species_can_fly(new_table):
    """T14: no decision with a single choice."""
    table = about_to_fly(new_table, "7-8 7-8 7-8 7-8 Q K")
    assert moment(table) == (2, 2, "play")


def test_t14_both_ends_of_a_symmetrical_row_are_two_actions(new_table):
    """T14: the same outcome twice is still two actions."""
    table = new_table(rows=["J"], hands={1: "3-4"})
    assert [action["end"] for action in table.legal() if action["row"] == 1].count("left") == 1
    assert len(table.legal()) == 8


def test_t15_the_capped_turn_is_played_in_full(new_table):
    """T15: after turn number `turn_cap` the game ends without a winner."""
    table = new_table(
        rules={"turn_cap": 7},
        rows=["J K"],
        hands={1: "3-4 Q", 2: "3-4 Q Q"},
        turn=6,
        birds={1: "K", 2: "K K", 3: "Q Q", 4: "Q"},
    )
    empty_hand_by_laying(table)
    assert table.end() is None
    play(table, "3-4", row=2)
    draw(table, "no")
    fly(table, "Q")
    assert (table.end()["end_reason"], table.end()["turns"]) == ("turn_cap", 7)
    assert places(table) == {1: (3, 1, 0), 2: (1, 3, 0), 3: (2, 2, 0), 4: (3, 1, 0)}


def test_t15_a_win_on_the_capped_turn_is_a_win(new_table):
    """T15: the win of that turn is judged first."""
    table = about_to_fly(new_table, "Q Q", birds={1: SIX_SPECIES}, rules={"turn_cap": 1})
    fly(table, "Q")
    assert end_reason(table) == "win"


def test_t15_stuck_on_the_capped_turn_is_stuck(new_table):
    """T15: the stuck test of that turn is judged first."""
    table, _ = nearly_stuck(new_table, pile=4, rules={"turn_cap": 1})
    assert end_reason(table) == "stuck"


def test_t15_a_round_that_ends_on_the_capped_turn_is_dealt_anew(new_table):
    """T15: the round end of that turn comes first, then the cap."""
    table, events = nearly_stuck(new_table, pile=5, rules={"turn_cap": 1})
    assert end_reason(table) == "turn_cap"
    assert len([event for event in events if "card" in event]) == 16
    assert (table.end()["turns"], table.end()["rounds"], sum(hand(table, 2).values())) == (1, 2, 8)


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
