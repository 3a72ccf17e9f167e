"""An obvious referee for 4 the Birds, written from the rulebook and the rulings alone.

It shares no code with the simulator: a position is a trace's state in its own words, and a turn is told in the order
of the rulebook: set-up, dice, what actions do, how turns and games end, who is where. The board is in `birds_board`,
legal actions in `birds_choices`, how pieces land and slide in `birds_chains`, the replay of traces in `birds_referee`.
Section names are those of the rulebook; B1 to B28 are rulings.
"""

from tests.oracle.birds_chains import arrive, enter, next_in_chain, scatter
from tests.oracle.birds_choices import FLIGHT_STEPS, all_set_up, legal, next_to_set_up, turn_actions
from tests.oracle.birds_position import CARDS, CROW, TOKEN, Position, named, piece_of
from tests.oracle.replay import Complaint

RE_ROLLS = 1000

# --------------------------------------------------------------------------------------------- set-up


def set_up(rules, players, chance):
    """Set Up: everything in hand and in reserve, then the first hawks and crows, then the first roll (B5)."""
    seats = [str(seat) for seat in range(1, players + 1)]
    hand = [card for card in CARDS for _ in range(rules["cards"][card])]
    supplies = {"crow_supply": rules["crows"], "hawk_supply": rules["hawks"], "token_supply": rules["tokens"]}
    state = {
        **{"to_move": 1, "decision": "turn", "turn": 1, "round": 1, "end_reason": None, "active": 1, "roll": None},
        **{"birds": {seat: [] for seat in seats}, "reserve": dict.fromkeys(seats, rules["birds"])},
        **{"hands": {seat: list(hand) for seat in seats}, "discards": {seat: [] for seat in seats}},
        **{"crows": [], "hawks": [], "tokens": [], **supplies},
        **dict.fromkeys(("card", "flown", "lifted", "lifted_piece", "moving", "flock")),
        **{"flock_moves": 0, "closed": [], "scattering": []},
    }
    position = Position(rules, state)
    if rules["setup"] == "random":
        while not all_set_up(position):
            kind, verb, places = next_to_set_up(position)
            set_one_up(position, {verb: chance.pick(kind, places)})
    after_set_up(position, chance)
    return position


def set_one_up(position, action):
    if "hawk_to" in action:
        position.put_hawk(action["hawk_to"])
        position.hawk_supply -= 1
    else:
        position.put(CROW, action["crow_to"])
        position.crow_supply -= 1


def after_set_up(position, chance):
    if all_set_up(position):
        roll_dice(position, chance)
    else:
        position.ask(1, f"place_{next_to_set_up(position)[0]}")


# ------------------------------------------------------------------------------------------ the dice


def roll_dice(position, chance):
    """On Your Turn, Rolling Doubles, Tokens: rolls until something is legal; at last a deadlock (B18, B19, B26)."""
    rolls = 0
    while rolls <= RE_ROLLS:
        position.roll, number = chance.roll(position)
        rolls += number
        if rolls > RE_ROLLS + 1:
            raise Complaint(f"chance: {rolls} rolls in a row")
        if is_double(position.roll) and position.discard():
            chance.regain(position)
        if next(turn_actions(position), None):
            position.ask(position.active, "turn")
            return
    end_game(position, "deadlock")


def is_double(roll):
    return roll[0] == roll[1] or roll == ["crow", "hawk"]


# -------------------------------------------------------------------------------------------- effects


def apply(position, action, chance):
    """The position after `action`. The one given is left as it was; raises Complaint if it is not legal."""
    after = position.copy()
    if action not in legal(after):
        raise Complaint(f"{action} is not a legal action")
    carry_out(after, action, chance)
    return after


def carry_out(position, action, chance):
    """Changes the position as a legal action does, up to the next decision."""
    ((verb, what),) = action.items()
    if position.decision in ("place_hawk", "place_crow"):
        set_one_up(position, action)
        after_set_up(position, chance)
    elif verb == "play":
        play(position, what, chance)
    elif not EFFECTS[verb](position, what):
        go_on(position, chance)


def go_on(position, chance):
    """When an effect asks for nothing itself: the chain goes on, then FLOCK's second bird, then the turn ends."""
    if next_in_chain(position):
        return
    if position.card == "flock" and position.flock_moves == 1:
        position.ask(position.active, "flock")
    else:
        end_turn(position, chance)


def play(position, card, chance):
    """Playing Cards; of ROLL the new roll is all there is (B20), the 1,001st of a turn is not made any more (B26)."""
    position.hand().remove(card)
    position.discard().append(card)
    if card == "roll":
        position.rolled_again += 1
        if position.rolled_again > RE_ROLLS:
            end_game(position, "deadlock")
        else:
            roll_dice(position, chance)
    else:
        position.card = card
        position.ask(position.active, card)


def place(position, spot):
    return land(position, position.active, spot)


def crow_to(position, spot):
    return land(position, CROW, spot)


def land(position, piece, spot):
    """The piece lifted, or one out of the reserve or supply."""
    if position.lifted:
        put_down(position)
    else:
        position.into_supply(piece, -1)
    return arrive(position, piece, spot)


def hawk_to(position, dot):
    if position.lifted:
        put_down(position)
    else:
        position.hawk_supply -= 1
    scatter(position, dot)


def put_down(position):
    """The piece lifted is about to land; returns it."""
    words = position.lifted_piece
    position.lifted = position.lifted_piece = None
    return words


def lift(position, spot):
    """B6: first it is lifted, then it lands elsewhere."""
    position.lifted, position.lifted_piece = spot, named(position.take_off(spot))
    position.ask(position.active, "fly" if position.card in FLIGHT_STEPS else "land")
    return True


def lift_hawk(position, dot):
    position.take_hawk(dot)
    position.lifted, position.lifted_piece = dot, {"hawk": True}
    position.ask(position.active, "land")
    return True


def remove_hawk(position, dot):
    position.take_hawk(dot)
    position.hawk_supply += 1


def fly_to(position, spot):
    piece = piece_of(put_down(position))
    if position.card == "flock":
        position.flock_moves += 1
    slides = arrive(position, piece, spot)
    if not slides:
        note_flown(position, spot)
    return slides


def note_flown(position, spot):
    """FLOCK moves two different birds: where the first one is (B24)."""
    if position.flock_moves == 1:
        position.flown = spot


def slide(position, spot):
    """Hawks, Note: one free slide (B13)."""
    enter(position, piece_of(position.moving), spot)
    note_flown(position, spot)


def displace(position, spot):
    enter(position, piece_of(position.moving), spot)


def choose_to_scatter(position, spot):
    (position.moving,) = [words for words in position.scattering if words["from"] == spot]
    position.scattering.remove(position.moving)


def token(position, spot):
    """Tokens: the spot is out of play for good (B25)."""
    position.at[spot] = TOKEN
    position.add(position.tokens, spot)
    position.token_supply -= 1


def done(position, _):
    """No second bird."""
    position.flock_moves = 2


EFFECTS = {
    "place": place,
    "crow_to": crow_to,
    "hawk_to": hawk_to,
    "lift": lift,
    "lift_crow": lift,
    "lift_hawk": lift_hawk,
    "remove_hawk": remove_hawk,
    "fly_to": fly_to,
    "slide": slide,
    "displace": displace,
    "scatter": choose_to_scatter,
    "token": token,
    "done": done,
}

# --------------------------------------------------------------------------------------- turns, the end


def end_turn(position, chance):
    """How To Win: judged at the end of a turn, then the cap; else play continues to the left (B3, B28)."""
    end_card(position)
    position.flock = winning_flock(position)
    if position.flock:
        end_game(position, "win")
    elif position.turn >= position.rules["turn_cap"]:
        end_game(position, "turn_cap")
    else:
        position.turn += 1
        position.rolled_again = 0
        position.active = position.left_of(position.active)
        position.round += position.active == 1
        roll_dice(position, chance)


def end_card(position):
    position.card, position.flown, position.flock_moves = None, None, 0


def winning_flock(position):
    """The Flock that counts: of the active player first, then the nearest clockwise (B3, B4)."""
    seat = position.active
    for _ in position.seats():
        found = flock_of(position, seat)
        if found:
            return found
        if position.rules["win_check"] == "active":
            return None
        seat = position.left_of(seat)
    return None


def flock_of(position, seat):
    """A Flock of this seat, squares before lines, the first in board order; or None."""
    own, flocks_from, first_line = position.birds[str(seat)], position.board.flocks_from, None
    for spot in own[:-3]:
        for shape, b, c, d in flocks_from[spot]:
            if b in own and c in own and d in own and position.rules[f"win_{shape}"]:
                found = {"seat": seat, "shape": shape, "spots": [spot, b, c, d]}
                if shape == "square":
                    return found
                first_line = first_line or found
    return first_line


def end_game(position, reason):
    position.to_move = position.decision = position.active = position.roll = None
    position.end_reason = reason


def winners(position):
    """Whoever has a Flock that counts; with `shared` everybody who has one (B4)."""
    if position.end_reason != "win":
        return []
    if position.rules["several_flocks"] == "shared" and position.rules["win_check"] == "any":
        return [seat for seat in position.seats() if flock_of(position, seat)]
    return [position.flock["seat"]]


def ranking(position):
    """The ranking as the end line of a trace lists it: winners share the first rank, all others tie behind."""
    first = winners(position)
    ranked = sorted(position.seats(), key=lambda seat: seat not in first)
    return [
        {
            "seat": seat,
            "rank": 1 if seat in first else 1 + len(first),
            "score": int(seat in first),
            "win_share": 1 / len(first) if seat in first else 0.0,
        }
        for seat in ranked
    ]
