"""How pieces land, displace, slide and scatter: Pecking Order, Bird Movement, Crows, Hawks (B7 to B15)."""

from tests.oracle.birds_position import CROW, TOKEN, named, piece_of

# ---------------------------------------------------------------------------------- where a piece can go


def ways_out(position, piece, spot):
    """B8, B9, B10: along a branch to a spot empty, its own or of a bird it outranks; not threatened, not closed."""
    at, prey = position.at, position.prey[piece]
    threatened, closed = position.threatened, position.closed
    return [
        other
        for other in position.board.neighbours[spot]
        if at.get(other) in prey and other not in threatened and other not in closed
    ]


def can_land(position, piece, spot, by_card):
    """Placing Birds, Crows: the spot of what it may displace; on a threatened one only with a slide (B13 to B15)."""
    if position.at.get(spot) not in position.prey[piece]:
        return False
    if spot not in position.threatened:
        return True
    return (not by_card or position.rules["cards_onto_threat"]) and bool(ways_out(position, piece, spot))


def landings(position, piece, spots, by_card, lifted=None):
    return [spot for spot in spots if spot != lifted and can_land(position, piece, spot, by_card)]


def can_relocate(position, spot, spots, by_card):
    """Whether the piece there, once lifted (B6), can land on another one of `spots`."""
    piece, found = position.at.pop(spot), False
    for other in spots:
        if other != spot and can_land(position, piece, other, by_card):
            found = True
            break
    position.at[spot] = piece
    return found


def flights(position, spot, steps):
    """B23: the spots within so many branch steps, turns allowed, over anything but a token; twice if two ways lead."""
    neighbours, at = position.board.neighbours, position.at
    yield from neighbours[spot]
    if steps == 2:
        for over in neighbours[spot]:
            if at.get(over) != TOKEN:
                yield from neighbours[over]


def can_fly(position, spot, steps):
    return can_relocate(position, spot, flights(position, spot, steps), by_card=True)


def flying_to(position, piece, spot, steps):
    """The destinations of a bird lifted from `spot`, in board order."""
    reached = position.board.in_order(set(flights(position, spot, steps)))
    return landings(position, piece, reached, by_card=True, lifted=spot)


# -------------------------------------------------------------------------------------- landing and after


def arrive(position, piece, spot):
    """A piece lands by a roll or a card; true if it has to slide on, being threatened there (Hawks, Note; B13, B14)."""
    slides = spot in position.threatened
    if slides:
        position.moving, position.closed = named(piece, spot), [spot]
        position.ask(position.active, "slide")
    else:
        enter(position, piece, spot)
    return slides


def enter(position, piece, spot):
    """A piece takes a spot; what stood there is on the move, and the spot is closed to this chain (B10)."""
    there = position.take_off(spot) if spot in position.at else None
    position.put(piece, spot)
    position.add(position.closed, spot)
    position.moving = None if there is None else named(there, spot)
    if spot == position.flown:
        position.flown = None


def fly_off(position):
    """B11: no way out."""
    position.into_supply(piece_of(position.moving))
    position.moving = None


def scatter(position, dot):
    """Hawks: all corners are lifted first (B12)."""
    position.put_hawk(dot)
    corners = [spot for spot in position.board.corners[dot] if position.at.get(spot, TOKEN) != TOKEN]
    position.scattering = [named(position.take_off(spot), spot) for spot in corners]


def scatters_next(position):
    """Whose lifted bird goes next: from the player to the left on, the active player, then the crows (B12)."""
    lifted = [piece_of(words) for words in position.scattering]
    seat = position.active
    for _ in position.seats():
        seat = position.left_of(seat)
        if seat in lifted:
            return seat
    return CROW


def owner(position, piece):
    """Who moves a piece: the active player the crows (Hawks)."""
    return position.active if piece == CROW else piece


def next_in_chain(position):
    """Asks for the next move of displaced pieces, those without a way out fly off; False when all have a place."""
    if position.moving:
        piece = piece_of(position.moving)
        if ways_out(position, piece, position.moving["from"]):
            position.ask(owner(position, piece), "displace")
            return True
        fly_off(position)
    position.closed = []
    if position.scattering:
        position.ask(owner(position, scatters_next(position)), "scatter")
        return True
    return False
