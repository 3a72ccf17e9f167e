"""A plain referee for Flockers, written from the rulebook and the rulings alone.

It shares no code with the simulator. Here are the set-up, replenishing, turns and the end; the other parts of the
rulebook are in the modules beside this one (`flockers_actions`, `flockers_flight`, `flockers_automa`), the table in
`flockers_position`, the cards in `flockers_cards`. Section names are those of the rulebook; K1 to K28 are rulings.
"""

import bisect

from tests.oracle import flockers_actions as actions
from tests.oracle import flockers_automa as automa
from tests.oracle import flockers_flight as flight
from tests.oracle.flockers_position import (
    Position,
    empty_state,
    geese_in,
    members,
    next_flock_card,
    refill_display,
    take_from_display,
    unused,
)

# --------------------------------------------------------------------------------------------- set-up


def set_up(rules, players, chance):
    """Setup: the path and the terrain display, hands from seat 1 on, the flock display."""
    position = Position(rules, empty_state(players))
    state = position.state
    state["draw_pile"], state["terrain_deck"] = list(position.birds), list(position.lands)
    chance.shuffle(position, "draw_pile")
    chance.shuffle(position, "terrain_deck")
    flips = rules["terrain_display"] + 1
    while chance.flips_in_vain(position, flips):  # K20
        chance.shuffle(position, "terrain_deck")
    for _ in range(flips):
        flip(position, chance)
    for seat, hand in state["hands"].items():
        for _ in range(rules["hand_size"]):
            card = chance.top(position, "draw_pile")
            chance.happens({"deal": card, "to": int(seat)})
            to_hand(position, hand, card)
    for slot in range(rules["flock_display"]):
        refill_display(position, slot, chance)
    return position


def flip(position, chance):
    """The first card that shows 2 or more terrains begins the path; the others stay on display."""
    card = chance.top(position, "terrain_deck")
    starts = not position.state["path"] and len(position.lands[card]) > 1
    position.state["path" if starts else "terrain_display"].append(card)
    chance.happens({"start" if starts else "show_terrain": card})


def to_hand(position, hand, card):
    """Hands are told in the order of the deck file."""
    bisect.insort(hand, card, key=lambda held: position.birds[held].order)


# ------------------------------------------------------------------------------- decisions in the turn


def legal(position):
    """Every legal action in the words and the order of a trace; none once the game is over."""
    return CHOICES[position.decision](position) if position.decision else []


def carry_out(position, action, chance):
    """Changes the position as a legal action does."""
    EFFECTS[position.decision](position, action, chance)


def act(position, action, chance):
    if action == actions.END:
        end_actions(position, chance)
    else:
        actions.use(position, action)


def end_actions(position, chance):
    """After all actions: a full flock or the final card is the end for this player, who does not replenish (K21)."""
    state, rules, seat = position.state, position.rules, position.to_move
    full = len(members(position.flock)) >= rules["flock_size"]
    there = position.token["card"] >= rules["final_card"]
    if full or there:
        state["out"] = sorted([*state["out"], seat])
    if there and state["last_turns"] is None:
        others = [other for other in clockwise_after(position, seat) if other not in state["out"]]
        state["last_turns"] = ["automa"] if position.solo else others
    if not (full or there) and replenish_choices(position):
        state["decision"] = "replenish"
    else:
        pass_turn(position, chance)


def replenish_choices(position):
    """One card, of the display or where allowed of the deck (K17)."""
    state = position.state
    takes = [{"take": card} for card in state["flock_display"]]
    may_draw = position.rules["draw_from_deck"] and (state["draw_pile"] or state["discard"])
    return [*takes, {"draw": True}] if may_draw else takes


def replenish(position, action, chance):
    if "take" in action:
        slot = take_from_display(position, action["take"])
        to_hand(position, position.hand, action["take"])
        refill_display(position, slot, chance)
    else:
        card = next_flock_card(position, chance)
        chance.happens({"draw": card})
        to_hand(position, position.hand, card)
    pass_turn(position, chance)


# -------------------------------------------------------------------------------------- turns, the end


def clockwise_after(position, seat):
    """All other seats, the next one first."""
    seats = position.seats
    return seats[seat:] + seats[: seat - 1]


def pass_turn(position, chance):
    """The turn is over: whose is the next, or is the game over (End of Game; K21, K22, K25, K27)?"""
    state, seat = position.state, position.to_move
    if state["last_turns"]:
        state["last_turns"] = [waiting for waiting in state["last_turns"] if waiting != seat]
    if position.solo:
        automa.follow(position, chance)
    following = next_seat(position, seat)
    if following is None:
        end_game(position, "stuck" if state["last_turns"] is None else "win")
        return
    if following <= seat:
        if state["last_turns"] is None and state["round"] >= position.rules["turn_cap"]:
            end_game(position, "turn_cap")
            return
        state["round"] += 1
    state["turn"] += 1
    forget_turn(state)
    state["to_move"], state["decision"] = following, "play"


def next_seat(position, seat):
    """Clockwise: those with a final turn to come, or before there are any whoever is still in; None if nobody is."""
    state = position.state
    if state["last_turns"] is not None:
        return next(iter(state["last_turns"]), None)
    return next((other for other in [*clockwise_after(position, seat), seat] if other not in state["out"]), None)


def forget_turn(state):
    state["played"] = state["activated"] = None
    state["used"] = unused()


def end_game(position, reason):
    state = position.state
    forget_turn(state)
    state["to_move"] = state["decision"] = None
    state["end_reason"] = reason


# ------------------------------------------------------------------------------------------ The Winner


def ranking(position):
    """The ranking as the end line of a trace lists it; a game cut off has no winner (K24, K25, K28)."""
    capped = position.end_reason == "turn_cap"
    if position.solo:
        won, points = solo_result(position)
        return [{"seat": 1, "rank": 1 if won else 2, "score": points, "win_share": float(won and not capped)}]
    standings = {seat: standing(position, seat) for seat in position.seats}
    ranks = {seat: 1 + sum(other > own for other in standings.values()) for seat, own in standings.items()}
    first = sum(rank == 1 for rank in ranks.values())
    return [
        {
            "seat": seat,
            "rank": ranks[seat],
            "score": standings[seat][0],
            "win_share": 1 / first if ranks[seat] == 1 and not capped else 0.0,
        }
        for seat in sorted(ranks, key=lambda seat: (ranks[seat], seat))
    ]


def standing(position, seat):
    """The furthest card, then the largest flock, then the most geese of one type (K24)."""
    flock = position.state["flocks"][str(seat)]
    most = max(geese_in(position, flock).values(), default=0)
    return (position.state["tokens"][str(seat)]["card"], len(members(flock)), most)


def solo_result(position):
    """Solo Win & Final Score: whether the human is ahead, and the points (K28)."""
    tokens = position.state["tokens"]
    own, ahead = tokens["1"]["card"], tokens["1"]["card"] - tokens["automa"]["card"]
    if ahead > 0:
        return True, own + ahead - 1
    if ahead == 0 and position.rules["solo_tie_wins"]:
        return True, own
    return False, 0


CHOICES = {
    "play": actions.play_choices,
    "act": actions.act_choices,
    "fly": flight.fly_choices,
    "navigate": actions.navigate_choices,
    "graze": actions.graze_choices,
    "swap": actions.swap_choices,
    "slide": actions.slide_choices,
    "north_wind": flight.north_wind_choices,
    "decoy": flight.decoy_choices,
    "fox": flight.fox_choices,
    "replenish": replenish_choices,
}
EFFECTS = {
    "play": actions.play,
    "act": act,
    "fly": flight.land,
    "navigate": actions.navigate,
    "graze": actions.graze,
    "swap": actions.swap,
    "slide": actions.slide,
    "north_wind": flight.land,
    "decoy": flight.scatter,
    "fox": flight.lose_to_fox,
    "replenish": replenish,
}
