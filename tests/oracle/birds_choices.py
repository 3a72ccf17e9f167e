"""Every legal action of 4 the Birds in the words and the order of a trace: the oracle's lists, decision by decision."""

from tests.oracle.birds_chains import can_fly, can_land, can_relocate, flying_to, landings, scatters_next, ways_out
from tests.oracle.birds_position import CROW, piece_of

FLIGHT_STEPS = {"peck": 2, "swoop": 2, "flock": 1}


def legal(position):
    """Every legal action in the words and the order of a trace; none once the game is over."""
    return list(CHOICES[position.decision](position)) if position.decision else []


# --------------------------------------------------------------------------------------------- set-up


def all_set_up(position):
    """Whether the tree holds its first hawks and crows."""
    rules = position.rules
    return len(position.hawks) == rules["hawks_at_start"] and len(position.crows) == rules["crows_at_start"]


def next_to_set_up(position):
    """The piece due, hawks first, with where it may go: crows to free spots off the hawk's corners."""
    if len(position.hawks) < position.rules["hawks_at_start"]:
        return "hawk", "hawk_to", position.free_dots()
    free = [spot for spot in position.board.spots if spot not in position.at and spot not in position.threatened]
    return "crow", "crow_to", free


def set_up_choices(position):
    _, verb, places = next_to_set_up(position)
    return [{verb: place} for place in places]


# -------------------------------------------------------------------------------------------- a turn


def rolled_spots(position):
    """The one or two spots of a roll of two digits; none of a crow or a hawk."""
    return position.board.rolled.get(tuple(position.roll), ())


def crow_spots(position):
    """Crows: every spot with the other die's digit; with a hawk on it every spot (B16, B18)."""
    board, digit = position.board, position.roll[1]
    return board.spots if digit == "hawk" else board.with_digit[digit]


def turn_actions(position):
    """On Your Turn: what the roll allows, then cards that would do something, then tokens (B17, B25, B27)."""
    black, brown = position.roll
    if black == "crow":
        yield from crow_actions(position)
    if brown == "hawk":
        yield from hawk_actions(position)
    yield from bird_actions(position)
    for card in dict.fromkeys(position.hand()):
        if DOES_SOMETHING[card](position):
            yield {"play": card}
    if position.token_supply and not position.hand():
        yield from ({"token": spot} for spot in rolled_spots(position) if spot not in position.at)


def bird_actions(position):
    """Placing Birds: from the reserve; with all birds in play one of them moves (B6).

    Where it may land is the same before it is lifted: its spot is a way out as its own and as an empty one.
    """
    seat = position.active
    spots = landings(position, seat, rolled_spots(position), by_card=False)
    if position.reserve[str(seat)]:
        return [{"place": spot} for spot in spots]
    return [{"lift": spot} for spot in position.own_birds() if spots and spots != [spot]]


def crow_actions(position):
    spots = crow_spots(position)
    if position.crow_supply:
        return [{"crow_to": spot} for spot in landings(position, CROW, spots, by_card=False)]
    return [{"lift_crow": spot} for spot in position.crows if can_relocate(position, spot, spots, by_card=False)]


def hawk_actions(position):
    """Hawks: to any red dot without one (B16)."""
    dots = position.free_dots()
    if position.hawk_supply:
        return [{"hawk_to": dot} for dot in dots]
    return [{"lift_hawk": dot} for dot in position.hawks if dots]


def land_choices(position):
    """Where a lifted piece lands: elsewhere (B6)."""
    if "hawk" in position.lifted_piece:
        return [{"hawk_to": dot} for dot in position.free_dots(position.lifted)]
    piece = piece_of(position.lifted_piece)
    rolled = crow_spots(position) if piece == CROW else rolled_spots(position)
    spots = position.board.spots if position.card else rolled
    verb = "crow_to" if piece == CROW else "place"
    landed = landings(position, piece, spots, by_card=bool(position.card), lifted=position.lifted)
    return [{verb: spot} for spot in landed]


def displaced_choices(position):
    piece, spot = piece_of(position.moving), position.moving["from"]
    return [{position.decision: other} for other in ways_out(position, piece, spot)]


def scatter_choices(position):
    piece = scatters_next(position)
    return [{"scatter": words["from"]} for words in position.scattering if piece_of(words) == piece]


# --------------------------------------------------------------------------------------------- cards


def shoo_choices(position):
    """B21."""
    allowed, able = position.rules["shoo"], position.free_dots()
    moved = [{"lift_hawk": dot} for dot in position.hawks if allowed["move"] and able]
    return moved + [{"remove_hawk": dot} for dot in position.hawks if allowed["remove"]]


def mock_choices(position):
    """B22."""
    allowed, spots = position.rules["mock"], position.board.spots
    placed = landings(position, CROW, spots, by_card=True) if allowed["place"] and position.crow_supply else []
    moved = [spot for spot in position.crows if allowed["move"] and can_relocate(position, spot, spots, by_card=True)]
    return [{"crow_to": spot} for spot in placed] + [{"lift_crow": spot} for spot in moved]


def flyers(position, card):
    """Whose birds PECK, SWOOP and FLOCK move, in board order: those that can (B23, B24)."""
    if card == "peck":
        others = [spot for seat, own in position.birds.items() if seat != str(position.active) for spot in own]
        spots = position.board.in_order(others)
    else:
        spots = position.own_birds()
    steps = FLIGHT_STEPS[card]
    return (spot for spot in spots if spot != position.flown and can_fly(position, spot, steps))


def flyer_choices(position):
    lifts = [{"lift": spot} for spot in flyers(position, position.card)]
    return [*lifts, {"done": True}] if position.flock_moves else lifts


def fly_choices(position):
    piece, steps = piece_of(position.lifted_piece), FLIGHT_STEPS[position.card]
    return [{"fly_to": spot} for spot in flying_to(position, piece, position.lifted, steps)]


def can_mock(position):
    """Whether `mock_choices` would list any."""
    allowed, spots = position.rules["mock"], position.board.spots
    places = allowed["place"] and position.crow_supply
    return (places and any(can_land(position, CROW, spot, by_card=True) for spot in spots)) or (
        allowed["move"] and any(can_relocate(position, spot, spots, by_card=True) for spot in position.crows)
    )


DOES_SOMETHING = {
    "roll": lambda position: True,
    "shoo": shoo_choices,
    "mock": can_mock,
    "peck": lambda position: next(flyers(position, "peck"), None),
    "swoop": lambda position: next(flyers(position, "swoop"), None),
    "flock": lambda position: next(flyers(position, "flock"), None),
}
CHOICES = {
    "turn": turn_actions,
    "land": land_choices,
    "slide": displaced_choices,
    "displace": displaced_choices,
    "scatter": scatter_choices,
    "shoo": shoo_choices,
    "mock": mock_choices,
    "peck": flyer_choices,
    "swoop": flyer_choices,
    "flock": flyer_choices,
    "fly": fly_choices,
    "place_hawk": set_up_choices,
    "place_crow": set_up_choices,
}
