"""The referee of 4 the Birds notices games in which one ruling is wrong: the oracle plays them with it broken."""

from itertools import chain

import pytest

from tests.oracle import birds_board, birds_chains, birds_choices, birds_position, four_the_birds
from tests.oracle.birds_board import Board
from tests.oracle.birds_position import CARDS, CROW, Position
from tests.oracle.birds_referee import oracle_trace, referee
from tests.rules.birds_wrong_rulings import (
    a_turn_counted,
    a_win_before_rolling,
    after,
    any_token,
    by_the_active_rank,
    clockwise,
    discarded_afterwards,
    empty_rolled,
    empty_spots_preferred,
    fits,
    flights_over_all,
    flights_over_empty_spots,
    instead,
    landing_by,
    next_player_on_nothing,
    not_the_active,
    nothing_closed,
    only,
    only_the_active,
    prey_to_the_right,
    reordered,
    seats_in_order,
    straight_flights,
    ways_out_of,
    with_position,
    without_hand,
)

MODULES = (birds_board, birds_chains, birds_choices, birds_position, four_the_birds)

NO_CARDS = {"cards": dict.fromkeys(CARDS, 0)}
BARREN = {**NO_CARDS, "tokens": 40, "crows": 0, "crows_at_start": 0, "hawks": 0, "hawks_at_start": 0, "turn_cap": 60}
BARREN |= {"board_size": {"3": 4}}
CARDS_AGAIN = {"cards": dict.fromkeys(CARDS, 3)}
ONTO = {**CARDS_AGAIN, "cards_onto_threat": True, "hawks": 6}
MANY_HAWKS = {"hawks": 6}
FEW_CROWS = {"crows": 2, **MANY_HAWKS}
MUTANTS = {
    "B1: diagonals in the other cells": ("on_checkerboard", lambda right: lambda *where: not right(*where), {}),
    "B1: the outer ring last": ("axis", instead(lambda side: tuple(range(1, side + 1))), {"board_size": {"3": 9}}),
    "B2: no diagonal lines": (
        "straight_runs",
        lambda right: lambda grid: (run for run in right(grid) if run[0][0] == run[1][0] or run[0][1] == run[1][1]),
        {},
    ),
    "B2: lines without branches": (
        "joined",
        lambda right: lambda branches, one, other: right(branches, one, other) or (one, other) == ("12", "23"),
        {},
    ),
    "B3: only the active player": ("winning_flock", only_the_active, {}),
    "B3: not the active player": ("winning_flock", not_the_active, {}),
    "B3: win_check = active for all": (
        "winning_flock",
        instead(
            lambda position: next(filter(None, (four_the_birds.flock_of(position, s) for s in position.seats())), None)
        ),
        {"win_check": "active"},
    ),
    "B5: crows next to the hawk": (
        "next_to_set_up",
        lambda right: (
            lambda at: right(at) if not at.hawks else ("crow", "crow_to", [s for s in at.board.spots if s not in at.at])
        ),
        {},
    ),
    "B5: crows first": (
        "next_to_set_up",
        lambda right: (
            lambda at: (
                right(at) if len(at.crows) == 2 else ("crow", "crow_to", [s for s in at.board.spots if s not in at.at])
            )
        ),
        {},
    ),
    "B6: relocating though there is a reserve": (
        "bird_actions",
        reordered(
            lambda actions, at: [
                *actions,
                *({"lift": s} for s in at.own_birds() if at.reserve[str(at.active)] and actions),
            ]
        ),
        {},
    ),
    "B6: landing where it was": (
        "landings",
        lambda right: lambda position, piece, spots, by_card, lifted=None: right(position, piece, spots, by_card),
        {},
    ),
    "B6: a hawk to its own dot": (
        "land_choices",
        reordered(lambda actions, at: [*actions, {"hawk_to": at.lifted}] if "hawk" in at.lifted_piece else actions),
        FEW_CROWS,
    ),
    "B6: the old threat lasts": (
        "scatter",
        lambda right: lambda at, dot: (right(at, dot), at.threatened.update(at.board.corners[at.board.dots[0]])),
        FEW_CROWS,
    ),
    "B7: the player to the right": ("turn_actions", with_position(prey_to_the_right), {}),
    "B8: a threatened spot entered": ("ways_out", ways_out_of(fits), MANY_HAWKS),
    "B8: a crow displaced": (
        "ways_out",
        ways_out_of(
            lambda at, piece, spot: spot not in at.threatened and (fits(at, piece, spot) or at.at.get(spot) == CROW)
        ),
        {},
    ),
    "B8: only empty spots": (
        "ways_out",
        ways_out_of(lambda at, piece, spot: spot not in at.threatened and spot not in at.at),
        {},
    ),
    "B9: empty spots preferred": ("ways_out", empty_spots_preferred, {}),
    "B10: nothing is closed": ("ways_out", nothing_closed, {}),
    "B11: gone for good": ("fly_off", instead(lambda position: setattr(position, "moving", None)), {}),
    "B12: the active player first": ("scatters_next", seats_in_order(clockwise), {}),
    "B12: in the order of seats": (
        "scatters_next",
        seats_in_order(lambda at, piece: 9 if piece == CROW else piece),
        {},
    ),
    "B12: crows first": (
        "scatters_next",
        seats_in_order(lambda at, piece: (piece != CROW and clockwise(at, piece)) or 3 * (piece != CROW)),
        {},
    ),
    "B12: crows by the left neighbour": (
        "owner",
        lambda right: lambda at, piece: at.left_of(at.active) if piece == CROW else piece,
        {},
    ),
    "B12: no choice of the next": ("scatter_choices", reordered(lambda actions, at: actions[:1]), {}),
    "B13: never into a threatened spot": ("can_land", landing_by(lambda *given: False), {}),
    "B13: it stays there": (
        "arrive",
        instead(lambda at, piece, spot: birds_chains.enter(at, piece, spot) or False),
        {},
    ),
    "B14: cards onto threat": (
        "can_land",
        landing_by(lambda at, piece, spot, by_card: bool(birds_chains.ways_out(at, piece, spot))),
        {},
    ),
    "B14: never onto threat": (
        "can_land",
        landing_by(lambda at, piece, spot, by_card: not by_card and bool(birds_chains.ways_out(at, piece, spot))),
        ONTO,
    ),
    "B15: a crow onto a crow": ("turn_actions", with_position(lambda at: at.prey[CROW].add(CROW)), {}),
    "B15: birds onto crows": (
        "turn_actions",
        with_position(lambda at: [at.prey[seat].add(CROW) for seat in at.seats()]),
        {},
    ),
    "B16: the digit in the row only": (
        "crow_spots",
        lambda right: lambda at: [spot for spot in right(at) if at.roll[1] in ("hawk", int(spot[0]))],
        {},
    ),
    "B16: a hawk by the digit": (
        "hawk_actions",
        only(lambda action, at: at.roll[0] == "crow" or str(at.roll[0]) in next(iter(action.values()))),
        {},
    ),
    "B17: not forced": ("crow_actions", reordered(lambda actions, at: actions if at.hand() else []), NO_CARDS),
    "B18: no doubles": ("is_double", instead(lambda roll: roll[0] == roll[1]), {}),
    "B18: the crow by a digit": (
        "crow_actions",
        only(lambda action, at: at.roll[1] != "hawk" or "1" in next(iter(action.values()))),
        {},
    ),
    "B19: the oldest discard": (
        "Position.regain",
        lambda right: lambda at: at.discard().reverse() or (right(at), at.discard().reverse())[0],
        CARDS_AGAIN,
    ),
    "B19: doubles regain nothing": ("is_double", instead(lambda roll: roll == ["crow", "hawk"]), {}),
    "B20: discarded after the roll": ("play", discarded_afterwards, CARDS_AGAIN),
    "B20: a turn counted": ("play", a_turn_counted, {}),
    "B20: a win check": ("play", a_win_before_rolling, {"win_check": "active", **CARDS_AGAIN}),
    "B21: only moved": ("shoo_choices", only(lambda action, at: "lift_hawk" in action), {}),
    "B21: removed for good": ("remove_hawk", after(lambda at: setattr(at, "hawk_supply", at.hawk_supply - 1)), {}),
    "B21: without scattering": (
        "scatter",
        lambda right: lambda at, dot: right(at, dot) if at.card is None else at.put_hawk(dot),
        {},
    ),
    "B22: only placed": ("mock_choices", only(lambda action, at: "crow_to" in action), {}),
    "B22: only with none in supply": (
        "mock_choices",
        only(lambda action, at: at.crow_supply == 0 or "crow_to" in action),
        {},
    ),
    "B23: no turns": ("flights", straight_flights, {}),
    "B23: over tokens": ("flights", flights_over_all, {"cards": {"roll": 0, "mock": 0, "shoo": 0}, "tokens": 40}),
    "B23: not over birds": ("flights", flights_over_empty_spots, {}),
    "B23: by the rank of the active player": ("flying_to", by_the_active_rank, {}),
    "B23: one's own birds pecked": (
        "flyers",
        lambda right: (
            lambda at, card: right(at, card) if card != "peck" else chain(right(at, card), right(at, "swoop"))
        ),
        {},
    ),
    "B24: two steps each": ("FLIGHT_STEPS", instead({"peck": 2, "swoop": 2, "flock": 2}), {}),
    "B24: the same bird twice": ("note_flown", instead(lambda at, spot: None), {}),
    "B24: a second bird is due": (
        "flyer_choices",
        reordered(lambda actions, at: actions[:-1] or actions if at.flock_moves else actions),
        {},
    ),
    "B24: one bird only": (
        "note_flown",
        lambda right: lambda at, spot: setattr(at, "flock_moves", at.flock_moves and 2),
        {},
    ),
    "B25: with cards in hand": ("turn_actions", any_token(empty_rolled), {}),
    "B25: on birds": (
        "turn_actions",
        any_token(lambda at: without_hand(at, birds_choices.rolled_spots(at))),
        NO_CARDS,
    ),
    "B25: not on threatened spots": (
        "turn_actions",
        any_token(lambda at: without_hand(at, [spot for spot in empty_rolled(at) if spot not in at.threatened])),
        NO_CARDS,
    ),
    "B25: never short of them": (
        "turn_actions",
        any_token(lambda at: [] if at.hand() else empty_rolled(at)),
        {**NO_CARDS, "tokens": 1},
    ),
    "B26: the turn ends": ("roll_dice", next_player_on_nothing, {**BARREN, "tokens": 10}),
    "B26: ten re-rolls": ("RE_ROLLS", instead(10), BARREN),
    "B27: cards only where nothing can be placed": (
        "turn_actions",
        lambda right: lambda at: iter(only(lambda action, _: "play" not in action)(right)(at)),
        {},
    ),
    "B27: MOCK does nothing": ("can_mock", instead(lambda at: False), {}),
    "B28: a turn too many": (
        "end_turn",
        lambda right: lambda at, chance: right(at, chance) if at.turn != 9 else right(with_cap(at, 10), chance),
        {"turn_cap": 9},
    ),
    "B28: a capped game won": (
        "winners",
        lambda right: lambda at: [1] if at.end_reason == "turn_cap" else right(at),
        {"turn_cap": 9},
    ),
    "losers ranked by seat": (
        "ranking",
        lambda right: lambda at: [{**place, "rank": rank} for rank, place in enumerate(right(at), start=1)],
        {},
    ),
}


def with_cap(position, cap):
    position.rules = {**position.rules, "turn_cap": cap}
    return position


def put_wrong(patch, name, wrong):
    """The oracle with another version of one of its functions, wherever that is used."""
    if name.startswith("Position."):
        name = name.removeprefix("Position.")
        patch.setattr(Position, name, wrong(getattr(Position, name)))
        return
    right = next(getattr(module, name) for module in MODULES if hasattr(module, name))
    for module in MODULES:
        if hasattr(module, name):
            patch.setattr(module, name, wrong(right))
    for table in (birds_choices.CHOICES, birds_choices.DOES_SOMETHING, four_the_birds.EFFECTS):
        for kind in [kind for kind, function in table.items() if function is right]:
            patch.setitem(table, kind, wrong(right))


def game_with(ruling, seed):
    """A game of three by the oracle with that ruling wrong. (Boards are built anew.)"""
    name, wrong, changes = MUTANTS[ruling]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(birds_board, "built", birds_board.built.__wrapped__)
        patch.setattr(birds_board, "Board", Board)
        put_wrong(patch, name, wrong)
        return list(oracle_trace(3, seed, **{"turn_cap": 150, **changes}))


@pytest.mark.parametrize("ruling", MUTANTS)
def test_referee_notices_games_with_a_ruling_wrong(ruling):
    """The referee has to complain of some of these games."""
    assert any(referee(game_with(ruling, seed)) for seed in range(60)), "no game gave it away"
