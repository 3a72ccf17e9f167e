"""Versions of the oracle of 4 the Birds that have one ruling wrong: each takes the right function to a wrong one."""

from tests.oracle import birds_choices, four_the_birds
from tests.oracle.birds_position import CROW, piece_of

# -------------------------------------------------------------------------------------- ways to be wrong


def instead(function):
    """A wrong version that does without the right one."""
    return lambda right: function


def only(keep):
    """The right list without some of it; at least one entry stays."""
    return lambda right: (
        lambda position, *more: (
            [found for found in right(position, *more) if keep(found, position)] or list(right(position, *more))[:1]
        )
    )


def reordered(function):
    """The right list, changed."""
    return lambda right: lambda position, *more: function(list(right(position, *more)), position)


def after(change):
    """The right version, and then something more to the position."""

    def wrong(right):
        def both(position, *more):
            found = right(position, *more)
            change(position)
            return found

        return both

    return wrong


def with_position(change):
    """The right version, with something changed about the position before."""

    def wrong(right):
        def both(position, *more):
            change(position)
            return right(position, *more)

        return both

    return wrong


# ---------------------------------------------------------------------------------------- wrong rulings


def prey_to_the_right(position):
    for seat in position.seats():
        right = next(other for other in position.seats() if position.left_of(other) == seat)
        position.prey[seat] = {None, seat, right}


def ways_out_of(keep):
    """Other spots that a displaced piece may enter: `keep(position, piece, spot)`, along a branch, not closed."""
    return instead(
        lambda position, piece, spot: [
            other
            for other in position.board.neighbours[spot]
            if other not in position.closed and keep(position, piece, other)
        ]
    )


def fits(position, piece, spot):
    return position.at.get(spot) in position.prey[piece]


def empty_spots_preferred(right):
    def wrong(position, piece, spot):
        ways = right(position, piece, spot)
        return [other for other in ways if other not in position.at] or ways

    return wrong


def nothing_closed(right):
    def wrong(position, piece, spot):
        closed, position.closed = position.closed, []
        ways, position.closed = right(position, piece, spot), closed
        return ways

    return wrong


def seats_in_order(*order):
    """Scattering in another order of (piece, active player) by a key."""

    def wrong(right):
        def next_one(position):
            lifted = [piece_of(words) for words in position.scattering]
            return min(lifted, key=lambda piece: order[0](position, piece))

        return next_one

    return wrong


def clockwise(position, piece):
    """How far to the left of the active player a seat is; the crows are last."""
    return 99 if piece == CROW else (piece - position.active) % position.players


def landing_by(allowed):
    """`can_land` on a threatened spot by another rule: `allowed(position, piece, spot, by_card)`."""
    return instead(
        lambda position, piece, spot, by_card: (
            fits(position, piece, spot) and (spot not in position.threatened or allowed(position, piece, spot, by_card))
        )
    )


def straight_flights(right):
    """Without turns: two steps only in one direction."""

    def wrong(position, spot, steps):
        order, side = position.board.order, position.board.side
        for other in right(position, spot, steps):
            row, column = (
                abs(a - b) for a, b in zip(divmod(order[spot], side), divmod(order[other], side), strict=True)
            )
            if (row, column) not in ((1, 2), (2, 1)):
                yield other

    return wrong


def flights_over_all(right):
    return lambda position, spot, steps: [
        other
        for over in ([spot, *position.board.neighbours[spot]] if steps == 2 else [spot])
        for other in position.board.neighbours[over]
    ]


def flights_over_empty_spots(right):
    def wrong(position, spot, steps):
        yield from position.board.neighbours[spot]
        for over in position.board.neighbours[spot] if steps == 2 else ():
            if over not in position.at:
                yield from position.board.neighbours[over]

    return wrong


def by_the_active_rank(right):
    return lambda position, piece, spot, steps: right(position, position.active, spot, steps)


def any_token(spots_of):
    """Tokens by another rule: on these spots."""

    def wrong(right):
        def actions(position):
            yield from (action for action in right(position) if "token" not in action)
            yield from ({"token": spot} for spot in spots_of(position))

        return actions

    return wrong


def empty_rolled(position):
    return [spot for spot in birds_choices.rolled_spots(position) if spot not in position.at]


def without_hand(position, spots):
    return spots if position.token_supply and not position.hand() else []


def discarded_afterwards(right):
    """ROLL reaches the discards after the roll only."""

    def wrong(position, card, chance):
        if card != "roll":
            right(position, card, chance)
            return
        seat = str(position.active)
        position.hand().remove(card)
        four_the_birds.roll_dice(position, chance)
        position.discards[seat].append(card)

    return wrong


def a_turn_counted(right):
    def wrong(position, card, chance):
        position.turn += card == "roll"
        right(position, card, chance)

    return wrong


def a_win_before_rolling(right):
    """ROLL ends the game for whoever holds a flock."""

    def wrong(position, card, chance):
        position.flock = four_the_birds.flock_of(position, position.active) if card == "roll" else None
        if position.flock:
            four_the_birds.end_game(position, "win")
        else:
            right(position, card, chance)

    return wrong


def next_player_on_nothing(right):
    """A roll with nothing legal ends the turn."""

    def wrong(position, chance):
        position.roll, _ = chance.roll(position)
        if four_the_birds.is_double(position.roll) and position.discard():
            chance.regain(position)
        if next(birds_choices.turn_actions(position), None):
            position.ask(position.active, "turn")
        else:
            four_the_birds.end_turn(position, chance)

    return wrong


def only_the_active(right):
    return lambda position: four_the_birds.flock_of(position, position.active)


def not_the_active(right):
    def wrong(position):
        others = [seat for seat in position.seats() if seat != position.active]
        return next(filter(None, (four_the_birds.flock_of(position, seat) for seat in others)), None)

    return wrong


def broken_by_hawks(right):
    """A line does not hold across a hawk's dot."""

    def wrong(position, seat):
        found = right(position, seat)
        hawked = [set(position.board.corners[dot]) for dot in position.hawks]
        crossed = found and any(len(corners & set(found["spots"])) == 2 for corners in hawked)
        return None if crossed and found["shape"] == "line" else found

    return wrong
