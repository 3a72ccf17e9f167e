"""A slow, obvious referee for Flock, written from the rulebook and the rulings alone.

It shares no code with the simulator: a flock is a dict in the words of a trace, and a turn is told in the order
of the rulebook. `legal` lists the actions of any position, `apply` plays one, `ranking` says who is where; the
replay of whole traces is in `flock_referee`. Section names are those of the rulebook; F1 to F31 are rulings.
"Flock" is what holds birds and resources: a player's only one, or in the Advanced 2-player Variant one of two (F25).
"""

from dataclasses import dataclass, replace
from itertools import pairwise

from tests.oracle.replay import Complaint

CARDS = ("feeding", "nesting", "laying", "hatching", "dominance", "competition")
SCORED = CARDS[:5]
RESOURCE_CARDS = CARDS[:4]
PLACES = ("pool", *CARDS)
RESOURCES = ("nests", "eggs", "worms")
STATE_KEYS = (
    *("to_move", "decision", "turn", "round", "flock", "flocks", "initiative", "vp"),
    *("acting", "barred", "passes", "activation", "end_reason"),
)

# ---------------------------------------------------------------------------------------------- rules


def standard_rules(**changes):
    """Every rule parameter at its rulebook value, with `changes` on top; maps are changed key by key."""
    rules = {
        "vp_first": {"feeding": 4, "nesting": 5, "laying": 4, "hatching": 4, "dominance": 5},
        "vp_second": {"feeding": 3, "nesting": 2, "laying": 3, "hatching": 3, "dominance": 2},
        "vp_pool": 1,
        "competition_thresholds": {str(players): [4, 5, 6] for players in (2, 3, 4, 5)},
        "rounds": 3,
        "starting_birds": 3,
        "bird_supply": 8,
        "starting_worms": 1,
        "resource_cap": 6,
        "token_supply": 30,
        "gain_single": dict.fromkeys(RESOURCE_CARDS, 1),
        "gain_double": dict.fromkeys(RESOURCE_CARDS, 3),
        "cost_single": {"laying_nests": 1, "hatching_eggs": 1, "hatching_worms": 1},
        "cost_double": {"laying_nests": 2, "hatching_eggs": 3, "hatching_worms": 3},
        "upkeep_costs": {"nests": [1, 1, 1], "worms": [1, 1, 1]},
        "free_birds": 2,
        "relocate_limit": 2,
        "dominance_side": "by-players",
        "flocks_per_player": 1,
        "protect_left_flock": True,
        "deadlock": "end",
        "turn_cap": 200,
    }
    for name, value in changes.items():
        assert name in rules, f"no such rule parameter: {name}"
        rules[name] = {**rules[name], **value} if isinstance(value, dict) else value
    return rules


def in_round(numbers, number):
    """The entry of a per-round list; the last one holds for all later rounds."""
    return numbers[min(number, len(numbers)) - 1]


def flock_ids(rules, players):
    """Every flock in the order of play from seat 1: a player's right flock acts before the left one (F3)."""
    seats = [str(seat) for seat in range(1, players + 1)]
    if rules["flocks_per_player"] == 1:
        return seats
    return [f"{seat}-{side}" for seat in seats for side in ("right", "left")]


def owner(flock):
    return int(flock.split("-")[0])


def is_right(flock):
    return flock.endswith("-right")


# ------------------------------------------------------------------------------------------- position


@dataclass
class Position:
    """Everything on the table, as in a trace.

    Where a chain of choices stands is in `activation`; its "at" is the place a give_up choice is about, the card
    a relocate choice is about, or the card from which a bird is sent home, and None in other choices.
    """

    flocks: dict
    initiative: list
    vp: dict
    to_move: int | None = 1
    decision: str | None = "act"
    turn: int = 1
    round: int = 1
    flock: str | None = "1"
    acting: str | None = "1"
    barred: str | None = None
    passes: int = 0
    activation: dict | None = None
    end_reason: str | None = None

    @classmethod
    def from_state(cls, state):
        return cls(**state).copy()

    def to_state(self):
        own = self.copy()
        return {key: getattr(own, key) for key in STATE_KEYS}

    def copy(self):
        return replace(
            self,
            flocks={name: {**flock, "on": dict(flock["on"])} for name, flock in self.flocks.items()},
            initiative=list(self.initiative),
            vp=dict(self.vp),
            activation=self.activation and {**self.activation, "order": list(self.activation["order"])},
        )

    @property
    def players(self):
        return len(self.vp)

    def cycle_from(self, flock):
        """The flocks in turn order, that one first (F3)."""
        ids = list(self.flocks)
        start = ids.index(flock)
        return ids[start:] + ids[:start]

    def birds(self, flock, place):
        held = self.flocks[flock]
        return held["pool"] if place == "pool" else held["on"].get(place, 0)

    def add(self, flock, place, birds):
        """Puts that many birds (fewer than none: takes them) to a place."""
        held = self.flocks[flock]
        if place == "pool":
            held["pool"] += birds
        elif birds:
            held["on"][place] = held["on"].get(place, 0) + birds
            if not held["on"][place]:
                del held["on"][place]

    def move_all(self, flock, card, place):
        birds = self.birds(flock, card)
        self.add(flock, card, -birds)
        self.add(flock, place, birds)

    def birds_in_play(self, flock):
        return sum(self.birds(flock, place) for place in PLACES)

    def birds_on(self, card):
        return sum(self.birds(flock, card) for flock in self.flocks)

    def flocks_on(self, card):
        return [flock for flock in self.flocks if self.birds(flock, card)]

    @property
    def at(self):
        return self.activation["at"]

    def ask(self, flock, decision, at=None):
        self.flock, self.to_move, self.decision = flock, owner(flock), decision
        if self.activation:
            self.activation["at"] = at


def as_position(state):
    return state if isinstance(state, Position) else Position.from_state(state)


# --------------------------------------------------------------------------------------------- set-up


def set_up(rules, players):
    """Setup: seat 1 is the start player and alone gets a worm; with two flocks its left one does (F1, F28)."""
    ids = flock_ids(rules, players)
    first = ids[0] if rules["flocks_per_player"] == 1 else "1-left"
    position = Position(
        flocks={flock: new_flock(rules) for flock in ids},
        initiative=ids if rules["flocks_per_player"] == 1 else ["1-left", "2-right", "2-left", "1-right"],
        vp={str(seat): 0 for seat in range(1, players + 1)},
        flock=first,
        acting=first,
    )
    position.flocks[first]["worms"] = rules["starting_worms"]
    return position


def new_flock(rules):
    birds = rules["starting_birds"]
    return {"pool": birds, "stock": rules["bird_supply"] - birds, "on": {}, **dict.fromkeys(RESOURCES, 0)}


# -------------------------------------------------------------------------------------- legal actions


def legal(state, rules):
    """Every legal action in the words and the order of a trace; none once the game is over."""
    position = as_position(state)
    return CHOICES[position.decision](position, rules) if position.decision else []


def act_choices(position, rules):
    """Taking a Turn: place a bird or activate a card; pass if neither can be done (F18)."""
    actions = open_actions(position, rules, position.flock, position.barred)
    return [action for action in actions if not robs_left_flock(position, rules, action)] or [{"pass": True}]


def open_actions(position, rules, flock, barred):
    cards = [card for card in CARDS if card != barred]
    places = [{"place": card} for card in cards if position.birds(flock, "pool")]
    return places + [{"activate": card} for card in cards if can_activate(position, rules, flock, card)]


def can_activate(position, rules, flock, card):
    """Activating takes a bird of one's own there, Competition also enough birds of everybody (F2, F25)."""
    if not position.birds(flock, card):
        return False
    return card != "competition" or position.birds_on(card) >= threshold(position, rules)


def threshold(position, rules):
    return in_round(rules["competition_thresholds"][str(position.players)], position.round)


def robs_left_flock(position, rules, action):
    """F29: a placement of the right flock that leaves the left one nothing to do, though it had something."""
    if not (rules["protect_left_flock"] and is_right(position.flock) and "place" in action):
        return False
    card, left = action["place"], left_of(position.flock)
    after = position.copy()
    put_from_pool(after, position.flock, card)
    had_one = open_actions(position, rules, left, barred=None)
    return bool(had_one) and not open_actions(after, rules, left, barred=card)


def left_of(flock):
    return flock.replace("right", "left")


def perform_choices(position, rules):
    """F4: any singles and doubles that the birds there and the resources pay for, (0, 0) first."""
    card = position.activation["card"]
    birds = position.birds(position.flock, card)
    return [
        {"singles": singles, "doubles": doubles}
        for singles in range(birds + 1)
        for doubles in range((birds - singles) // 2 + 1)
        if can_perform(position, rules, card, singles, doubles)
    ]


def can_perform(position, rules, card, singles, doubles):
    """All of it affordable at once, and for Hatching a bird in the stock (F4, F6)."""
    held = position.flocks[position.flock]
    if card == "hatching" and held["stock"] == 0:
        return singles == doubles == 0
    return all(held[resource] >= amount for resource, amount in price(rules, card, singles, doubles).items())


def price(rules, card, singles, doubles):
    """What the actions on a card cost together: {resource: amount}. Feeding and Nesting cost birds only."""
    resources = {"laying": ("nests",), "hatching": ("eggs", "worms")}.get(card, ())
    return {
        resource: singles * rules["cost_single"][f"{card}_{resource}"]
        + doubles * rules["cost_double"][f"{card}_{resource}"]
        for resource in resources
    }


def dominance_choices(position, rules):
    """Activating the Dominance Card, for those who are not first in pecking order (F13, F14)."""
    relocations = [{"relocate": card} for card in CARDS if card != "dominance"]
    return [{"initiative": 2}, *relocations] if may_take_second_space(position, rules) else relocations


def may_take_second_space(position, rules):
    return dominance_side(rules, position.players) == "4-5" and position.flock == position.activation["order"][1]


def dominance_side(rules, players):
    """The side of the Dominance card; the variant for two uses that of two players (F26)."""
    by_players = "2-3" if players <= 3 else "4-5"
    return by_players if rules["dominance_side"] == "by-players" else rules["dominance_side"]


def send_home_choices(position, rules):
    """F15, F27: any flock of another player with a bird on the card just relocated to."""
    return [{"return": flock} for flock in opponents_on(position, position.flock, position.at)]


def opponents_on(position, flock, card):
    return [other for other in position.flocks_on(card) if owner(other) != owner(flock)]


def upkeep_choices(position, rules):
    """Step 1: Upkeep: for how many birds to pay; declining is always allowed (F10, F23)."""
    held, cost = position.flocks[position.flock], upkeep_cost(position, rules)
    return [
        {"pay_for": birds}
        for birds in range(birds_to_pay_for(position, rules, position.flock) + 1)
        if all(held[resource] >= birds * cost[resource] for resource in cost)
    ]


def upkeep_cost(position, rules):
    return {resource: in_round(numbers, position.round) for resource, numbers in rules["upkeep_costs"].items()}


def birds_to_pay_for(position, rules, flock):
    return max(0, position.birds_in_play(flock) - rules["free_birds"])


def give_up_choices(position, rules):
    """F10: how many of the unpaid birds come from this place, so that the later places can give the rest."""
    here, due = position.birds(position.flock, position.at), position.activation["to_return"]
    later = sum(position.birds(position.flock, place) for place in places_after(position.at))
    return [{"from": position.at, "birds": birds} for birds in range(max(0, due - later), min(here, due) + 1)]


def places_after(place):
    return PLACES[PLACES.index(place) + 1 :]


def relocate_choices(position, rules):
    """Step 2: Relocate: how many birds of Competition go to this card (F11)."""
    birds = position.birds(position.flock, "competition")
    return [{"to": position.at, "birds": number} for number in range(birds + 1)]


CHOICES = {
    "act": act_choices,
    "perform": perform_choices,
    "dominance": dominance_choices,
    "send_home": send_home_choices,
    "upkeep": upkeep_choices,
    "give_up": give_up_choices,
    "relocate": relocate_choices,
}


# -------------------------------------------------------------------------------------------- effects


def apply(state, rules, action):
    """The position after `action`. The state given is left as it was; raises Complaint if it is not legal."""
    position = as_position(state).copy()
    if action not in legal(position, rules):
        raise Complaint(f"{action} is not a legal action")
    carry_out(position, rules, action)
    return position


def carry_out(position, rules, action):
    """Changes the position as a legal action does."""
    EFFECTS[position.decision](position, rules, action)


def act(position, rules, action):
    """Taking a Turn. A card used by a right flock is closed to its left flock this turn (F31)."""
    if "pass" in action:
        note_pass(position, rules)
        return
    position.passes = 0
    ((verb, card),) = action.items()
    if is_right(position.flock):
        position.barred = card
    if verb == "place":
        put_from_pool(position, position.flock, card)
        end_action(position, rules)
    else:
        activate(position, rules, card, by=position.flock)


def put_from_pool(position, flock, card):
    position.add(flock, "pool", -1)
    position.add(flock, card, 1)


def note_pass(position, rules):
    """F19, F29: a pass counts if no card is what stands in the way; when all have passed nothing can happen."""
    if pass_counts(position, rules):
        position.passes += 1
    if position.passes < len(position.flocks):
        end_action(position, rules)
    elif rules["deadlock"] == "end" or not any(map(position.birds_in_play, position.flocks)):
        end_game(position, "deadlock")
    else:
        position.passes = 0
        activate(position, rules, "competition", by=None)


def pass_counts(position, rules):
    return not open_actions(position, rules, position.flock, barred=None)


def activate(position, rules, card, by):
    """Activating an Action Card: who takes part, in which order (F3, F8), and the first of them to be asked."""
    order = pecking_order(position, card) if card in ("dominance", "competition") else turn_order(position, card)
    start = {"card": card, "by": by, "order": order, "step": "perform", "to_return": 0, "cards_used": 0, "at": None}
    position.activation = start
    if card == "dominance":
        begin_dominance(position, rules)
    elif card == "competition":
        begin_competition(position, rules)
    else:
        position.ask(order[0], "perform")


def turn_order(position, card):
    return [flock for flock in position.cycle_from(position.acting) if position.birds(flock, card)]


def pecking_order(position, card):
    """Most birds first; ties from the right of the initiative track for Dominance, else from its left."""
    ranks = position.initiative[::-1] if card == "dominance" else position.initiative
    return sorted(position.flocks_on(card), key=lambda flock: (-position.birds(flock, card), ranks.index(flock)))


def follower(order, flock):
    """Who comes after `flock`, None after the last."""
    return dict(pairwise(order)).get(flock)


def perform(position, rules, action):
    """A resource card: pay, gain, and all birds return from the card to the pool (F4, F5, F6)."""
    card, held = position.activation["card"], position.flocks[position.flock]
    for resource, amount in price(rules, card, **action).items():
        held[resource] -= amount
    gain(held, rules, card, gain_of(rules, card, **action))
    position.move_all(position.flock, card, "pool")
    following = follower(position.activation["order"], position.flock)
    if following:
        position.ask(following, "perform")
    else:
        end_activation(position, rules)


def gain_of(rules, card, singles, doubles):
    return singles * rules["gain_single"][card] + doubles * rules["gain_double"][card]


def gain(held, rules, card, amount):
    """Resource Limit: what is over the cap is lost; birds come as far as the stock has them."""
    if card == "hatching":
        birds = min(amount, held["stock"])
        held["stock"] -= birds
        held["pool"] += birds
    else:
        resource = {"feeding": "worms", "nesting": "nests", "laying": "eggs"}[card]
        held[resource] = min(held[resource] + amount, max(held[resource], rules["resource_cap"]))


# ------------------------------------------------------------------------------------------ Dominance


def begin_dominance(position, rules):
    """The first in pecking order takes space 1 and the birds home; then the others are asked."""
    position.activation["step"] = "dominance"
    first = position.activation["order"][0]
    take_space(position, first, 1)
    position.move_all(first, "dominance", "pool")
    next_in_dominance(position, rules, first)


def take_space(position, flock, space):
    """A marker moves up to a space; those between shift one to the right (F12, F13)."""
    position.initiative.remove(flock)
    position.initiative.insert(space - 1, flock)


def next_in_dominance(position, rules, flock):
    following = follower(position.activation["order"], flock)
    if following:
        position.ask(following, "dominance")
    else:
        end_activation(position, rules)


def dominance(position, rules, action):
    flock = position.flock
    if "initiative" in action:
        take_space(position, flock, 2)
        position.move_all(flock, "dominance", "pool")
        next_in_dominance(position, rules, flock)
        return
    card = action["relocate"]
    position.move_all(flock, "dominance", card)
    if opponents_on(position, flock, card):
        position.ask(flock, "send_home", card)
    else:
        next_in_dominance(position, rules, flock)


def send_home(position, rules, action):
    position.add(action["return"], position.at, -1)
    position.add(action["return"], "pool", 1)
    next_in_dominance(position, rules, position.flock)


# ---------------------------------------------------------------------------------------- Competition


def begin_competition(position, rules):
    """F8, F9: pecking order for those on the card; for upkeep the others after them, by initiative."""
    order = position.activation["order"]
    others = [flock for flock in position.initiative if flock not in order]
    position.activation |= {"step": "upkeep", "upkeep_order": order + others}
    next_in_upkeep(position, rules, order + others)


def next_in_upkeep(position, rules, waiting):
    """Asks the next of those waiting who has birds to pay for; after the last comes Step 2."""
    for flock in waiting:
        if birds_to_pay_for(position, rules, flock):
            position.ask(flock, "upkeep")
            return
    position.activation["step"] = "relocate"
    next_to_relocate(position, rules, position.activation["order"])


def those_after(order, flock):
    return order[order.index(flock) + 1 :]


def upkeep(position, rules, action):
    held, paid = position.flocks[position.flock], action["pay_for"]
    position.activation["to_return"] = birds_to_pay_for(position, rules, position.flock) - paid
    for resource, cost in upkeep_cost(position, rules).items():
        held[resource] -= paid * cost
    next_place_to_give_up(position, rules, PLACES)


def next_place_to_give_up(position, rules, places):
    """Asks at the next place with birds while unpaid birds are left; then the next flock pays (F10)."""
    flock = position.flock
    if position.activation["to_return"]:
        position.ask(flock, "give_up", next(place for place in places if position.birds(flock, place)))
    else:
        next_in_upkeep(position, rules, those_after(position.activation["upkeep_order"], flock))


def give_up(position, rules, action):
    position.add(position.flock, action["from"], -action["birds"])
    position.flocks[position.flock]["stock"] += action["birds"]
    position.activation["to_return"] -= action["birds"]
    next_place_to_give_up(position, rules, places_after(action["from"]))


def next_to_relocate(position, rules, waiting):
    """Asks the next of those waiting who still has birds there; after the last comes Step 3 (F11)."""
    for flock in waiting:
        if position.birds(flock, "competition"):
            position.activation["cards_used"] = 0
            position.ask(flock, "relocate", SCORED[0])
            return
    end_activation(position, rules)


def relocate(position, rules, action):
    """To this card; then the next card, unless no bird, no card or no further card is left (F11, F22)."""
    flock, card = position.flock, action["to"]
    position.add(flock, "competition", -action["birds"])
    position.add(flock, card, action["birds"])
    position.activation["cards_used"] += action["birds"] > 0
    left, full = position.birds(flock, "competition"), position.activation["cards_used"] >= rules["relocate_limit"]
    if left and not full and card != SCORED[-1]:
        position.ask(flock, "relocate", follower(SCORED, card))
    else:
        position.move_all(flock, "competition", "pool")
        next_to_relocate(position, rules, those_after(position.activation["order"], flock))


def score(position, rules):
    """Step 3: Scoring: cards first, then birds in pools; VP are the player's (F16, F25)."""
    for card in SCORED:
        ranked = scoring_order(position, card)
        for flock, values in zip(ranked, (rules["vp_first"], rules["vp_second"]), strict=False):
            position.vp[str(owner(flock))] += values[card]
    for flock in position.flocks:
        position.vp[str(owner(flock))] += rules["vp_pool"] * position.birds(flock, "pool")


def scoring_order(position, card):
    """Most birds first, ties from the left of the initiative track; nobody without a bird there."""
    place = position.initiative.index
    return sorted(position.flocks_on(card), key=lambda flock: (-position.birds(flock, card), place(flock)))


# --------------------------------------------------------------------------------------- turns, the end


def end_activation(position, rules):
    """The card is done. After Competition: scoring, and the sun moves or the game ends (F17)."""
    card, position.activation = position.activation["card"], None
    if card == "competition":
        score(position, rules)
        if position.round == rules["rounds"]:
            end_game(position, "win")
            return
        position.round += 1
    end_action(position, rules)


def end_action(position, rules):
    """The next flock acts; unless it is the other one of the same player, a turn is over (F20, F30, F31)."""
    if not is_right(position.acting):
        position.barred = None
        if position.turn >= rules["turn_cap"] * position.players:
            end_game(position, "turn_cap")
            return
        position.turn += 1
    position.acting = position.cycle_from(position.acting)[1]
    position.ask(position.acting, "act")


def end_game(position, reason):
    position.to_move = position.decision = position.flock = position.acting = None
    position.activation = None
    position.end_reason = reason


def ranking(position):
    """The ranking as the end line of a trace lists it; only a game played to its end has a winner (F19, F20)."""
    order = sorted(map(int, position.vp), key=lambda seat: final_order(position, seat))
    won = position.end_reason == "win"
    return [
        {"seat": seat, "rank": rank, "score": position.vp[str(seat)], "win_share": float(won and rank == 1)}
        for rank, seat in enumerate(order, start=1)
    ]


def final_order(position, seat):
    """End of the Game: most VP, then most resources of all kinds, then leftmost on the initiative track (F21)."""
    own = [flock for flock in position.flocks if owner(flock) == seat]
    resources = sum(position.flocks[flock][resource] for flock in own for resource in RESOURCES)
    return (-position.vp[str(seat)], -resources, min(map(position.initiative.index, own)))


EFFECTS = {
    "act": act,
    "perform": perform,
    "dominance": dominance,
    "send_home": send_home,
    "upkeep": upkeep,
    "give_up": give_up,
    "relocate": relocate,
}
