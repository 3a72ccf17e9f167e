"""Flock Together, rule by rule: rounds, empty piles, endings and the rulings on them (T1 to T15 are rulings)."""

import pytest

from tests.oracle.flock_together import by_rarity
from tests.rules.positions import (
    SIX_SPECIES,
    about_to_fly,
    cards_on,
    collection,
    draw,
    empty_hand_by_laying,
    end_reason,
    fly,
    hand,
    moment,
    nearly_stuck,
    places,
    play,
    row,
)

# ---------------------------------------------------------------------------------------- End of a round


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
