"""Flock's referee notices games in which one ruling is wrong: the oracle plays them with that ruling broken."""

import pytest

from tests.oracle import flock
from tests.oracle.flock import CARDS, SCORED
from tests.oracle.flock_referee import oracle_trace, referee
from tests.rules.flock_oracle_tables import (
    FREE,
    HUNGRY,
    PASS,
    TWO_FLOCKS,
    change,
    one_more,
    swap,
)

# ---------------------------------------------------------------- the referee: games with a ruling wrong


def instead(function):
    """A wrong version that does without the right one."""
    return lambda right: function


def after(change):
    """The right version, and then something more to the position."""

    def wrong(right):
        def both(position, rules, *more):
            right(position, rules, *more)
            change(position, rules)

        return both

    return wrong


def reordered(function):
    """The right list, changed; what the right version was given is passed on."""
    return lambda right: lambda position, rules, *more: function(right(position, rules, *more), position)


def set_up_with(change):
    def wrong(right):
        def both(rules, players):
            position = right(rules, players)
            change(position)
            return position

        return both

    return wrong


def by_birds(position, card, ranks):
    return sorted(position.flocks_on(card), key=lambda name: (-position.birds(name, card), ranks.index(name)))


def swap_with_space(position, name, space):
    """A marker changes places with the one that is there."""
    swap(position.initiative, position.initiative.index(name), space - 1)


def send_home_unasked(right):
    """A single opposing bird goes home without a question."""

    def wrong(position, rules, action):
        name, card = position.flock, action.get("relocate")
        right(position, rules, action)
        if position.decision == "send_home" and len(flock.legal(position, rules)) == 1 and position.flock == name:
            flock.send_home(position, rules, {"return": flock.opponents_on(position, name, card)[0]})

    return wrong


def everybody_home(position, rules):
    for name in position.flocks:
        for card in SCORED:
            position.move_all(name, card, "pool")


def vp_for_both(right):
    """Whoever is alone on a card takes both numbers."""
    return lambda position, card: (ranked := right(position, card)) * (2 if len(ranked) == 1 else 1)


def one_flock_each(right):
    """Only a player's better flock on a card scores."""
    return lambda at, card: list({flock.owner(name): name for name in right(at, card)[::-1]}.values())[::-1]


def final_order_without_resources(position, seat):
    own = [name for name in position.flocks if flock.owner(name) == seat]
    return (-position.vp[str(seat)], min(map(position.initiative.index, own)))


def final_order_from_the_right(right):
    return lambda position, seat: (*right(position, seat)[:2], -right(position, seat)[2])


def final_order_by_eggs(right):
    return lambda position, seat: (right(position, seat)[0], -position.flocks[str(seat)]["eggs"], seat)


def everybody_a_winner(right):
    return lambda position: [{**place, "win_share": float(place["rank"] == 1)} for place in right(position)]


def upkeep_order_by_seat(right):
    def wrong(position, rules):
        order = position.activation["order"]
        waiting = order + [name for name in position.flocks if name not in order]
        position.activation.update(step="upkeep", upkeep_order=waiting)
        flock.next_in_upkeep(position, rules, waiting)

    return wrong


def keep_passes(right):
    def wrong(position, rules, action):
        passes = position.passes
        right(position, rules, action)
        position.passes = max(position.passes, passes)

    return wrong


def cap_before_deadlock(right):
    def wrong(position, rules):
        if position.turn < rules["turn_cap"] * position.players:
            right(position, rules)
        else:
            position.passes += 1
            flock.end_action(position, rules)

    return wrong


def robbed_though_it_had_none(right):
    """F29 without its "it had one before"."""

    def wrong(position, rules, action):
        if not flock.is_right(position.flock) or "place" not in action:
            return False
        twin, left = position.copy(), flock.left_of(position.flock)
        flock.put_from_pool(twin, position.flock, action["place"])
        return not flock.open_actions(twin, rules, left, barred=action["place"])

    return wrong


def bars_relocations(right):
    def wrong(position, rules, action):
        mine = flock.is_right(position.acting) and position.acting == position.flock
        right(position, rules, action)
        if mine and "relocate" in action:
            position.barred = action["relocate"]

    return wrong


def never_bars(right):
    def wrong(position, rules, action):
        right(position, rules, action)
        position.barred = None

    return wrong


SMALL = {"starting_birds": 1, "bird_supply": 3, "competition_thresholds": {"2": [3], "3": [3]}}
NO_VP = {"rounds": 1, "vp_first": dict.fromkeys(SCORED, 0), "vp_second": dict.fromkeys(SCORED, 0), "vp_pool": 0}
FORCED = {"deadlock": "force_competition"}
CROWDED = {**TWO_FLOCKS, "starting_birds": 2, "competition_thresholds": {"2": [8, 9, 10]}}
MUTANTS = {
    "F1: the worm to seat 2": ("set_up", set_up_with(lambda position: one_more({"state": vars(position)}, "worms")), 3),
    "F2: a threshold missed by one": ("threshold", lambda right: lambda *given: right(*given) - 1, 3),
    "F2: only one's own birds count": (
        "can_activate",
        instead(lambda position, rules, name, card: position.birds(name, card) >= (4 if card == "competition" else 1)),
        3,
    ),
    "F2: activating without a bird": (
        "can_activate",
        instead(lambda position, rules, name, card: position.birds_on(card) >= (4 if card == "competition" else 1)),
        3,
    ),
    "F3: by seat instead of from the activator": ("turn_order", instead(lambda at, card: at.flocks_on(card)), 3),
    "F3: the start player first with both flocks": (
        "set_up",
        set_up_with(lambda at: change(vars(at), flock="1-right", acting="1-right")),
        2,
        TWO_FLOCKS,
    ),
    "F4: singles and doubles not mixed": (
        "perform_choices",
        reordered(lambda actions, at: [action for action in actions if 0 in action.values()]),
        3,
    ),
    "F4: doubles first": ("perform_choices", reordered(lambda actions, at: sorted(actions, key=repr)[::-1]), 3),
    "F4: declining not offered": ("perform_choices", reordered(lambda actions, at: actions[1:] or actions), 3),
    "F4: unaffordable actions": (
        "can_perform",
        instead(lambda at, rules, card, singles, doubles: at.flocks[at.flock]["nests"] > 0 or not singles + doubles),
        3,
    ),
    "F5: no cap": (
        "gain",
        lambda right: lambda held, rules, card, gained: right(held, {"resource_cap": 99}, card, gained),
        3,
    ),
    "F5: nothing at the cap": (
        "perform_choices",
        reordered(lambda actions, at: actions[:1] if at.flocks[at.flock]["worms"] == 6 else actions),
        3,
    ),
    "F6: no choice that exceeds the stock": (
        "perform_choices",
        reordered(
            lambda actions, at: [
                action
                for action in actions
                if at.activation["card"] != "hatching"
                or action["singles"] + 3 * action["doubles"] <= at.flocks[at.flock]["stock"]
            ]
        ),
        3,
        {"bird_supply": 4, "cost_single": {"hatching_eggs": 0, "hatching_worms": 0}},
    ),
    "F6: hatching at stock 0": (
        "can_perform",
        instead(
            lambda at, rules, *choice: all(
                at.flocks[at.flock][what] >= cost for what, cost in flock.price(rules, *choice).items()
            )
        ),
        3,
        {"bird_supply": 4, "cost_single": {"hatching_eggs": 0}},
    ),
    "F8: ties of Dominance from the left": (
        "pecking_order",
        instead(lambda at, card: by_birds(at, card, at.initiative)),
        3,
    ),
    "F8: ties of Competition from the right": (
        "pecking_order",
        instead(lambda at, card: by_birds(at, card, at.initiative[::-1])),
        3,
    ),
    "F8: pecking order by space alone": (
        "pecking_order",
        instead(lambda at, card: [name for name in at.initiative if at.birds(name, card)]),
        3,
    ),
    "F9: the others by seat": ("begin_competition", upkeep_order_by_seat, 5, {"starting_birds": 5}),
    "F9: no upkeep of the others": (
        "begin_competition",
        instead(
            lambda at, rules: (
                at.activation.update(step="upkeep", upkeep_order=at.activation["order"]),
                flock.next_in_upkeep(at, rules, at.activation["order"]),
            )
        ),
        3,
    ),
    "F10: one must pay": ("upkeep_choices", reordered(lambda actions, at: actions[-1:]), 3),
    "F10: one more is kept": (
        "birds_to_pay_for",
        lambda right: lambda at, rules, name: max(0, right(at, rules, name) - 1),
        3,
    ),
    "F10: birds in the pool are free": (
        "birds_to_pay_for",
        lambda right: lambda at, rules, name: max(0, right(at, rules, name) - at.birds(name, "pool")),
        3,
    ),
    "F10: cards before the pool": ("PLACES", instead((*CARDS, "pool")), 3),
    "F10: too few given up": (
        "give_up_choices",
        reordered(lambda actions, at: [{**actions[0], "birds": 0}, *actions]),
        3,
    ),
    "F11: not all at once": ("relocate_choices", reordered(lambda actions, at: actions[:-1] or actions), 3),
    "F11: the pool counts": (
        "relocate",
        lambda right: lambda at, rules, action: right(at, {**rules, "relocate_limit": 1}, action),
        3,
    ),
    "F11: as many cards as one likes": (
        "relocate",
        lambda right: lambda at, rules, action: right(at, {**rules, "relocate_limit": 5}, action),
        3,
    ),
    "F11: the order of players anew": (
        "next_to_relocate",
        lambda right: (
            lambda at, rules, waiting: right(
                at, rules, [name for name in by_birds(at, "competition", at.initiative) if name in waiting]
            )
        ),
        3,
    ),
    "F11: birds stay on Competition": (
        "score",
        after(lambda at, rules: [at.move_all(name, "pool", "competition") for name in at.flocks]),
        3,
    ),
    "F12: the winner behind on space 1": (
        "take_space",
        lambda right: lambda at, name, space: right(at, name, 2 if at.initiative[0] == name else space),
        3,
    ),
    "F13: markers swapped": ("take_space", instead(swap_with_space), 4),
    "F13: not for whoever is on 2 already": (
        "may_take_second_space",
        lambda right: lambda at, rules: right(at, rules) and at.initiative[1] != at.flock,
        4,
    ),
    "F13: for the third too": (
        "may_take_second_space",
        instead(lambda at, rules: flock.dominance_side(rules, at.players) == "4-5"),
        4,
    ),
    "F14: not to Competition": ("dominance_choices", reordered(lambda actions, at: actions[:-1]), 3),
    "F15: sent home unasked": ("dominance", send_home_unasked, 3),
    "F15: nobody sent home": ("opponents_on", instead(lambda at, name, card: []), 3),
    "F16: scoring ties from the right": (
        "scoring_order",
        instead(lambda at, card: by_birds(at, card, at.initiative[::-1])),
        3,
    ),
    "F16: both numbers for one alone": ("scoring_order", vp_for_both, 3),
    "F16: a place without a bird": (
        "scoring_order",
        instead(lambda at, card: sorted(at.initiative, key=lambda name: -at.birds(name, card))),
        3,
    ),
    "F17: birds return after scoring": ("score", after(everybody_home), 3),
    "F17: one round fewer": ("end_activation", lambda right: lambda at, rules: right(at, {**rules, "rounds": 2}), 3),
    "F17: the activator moves again": (
        "score",
        after(lambda at, rules: change(vars(at), acting=at.cycle_from(at.acting)[-1])),
        3,
    ),
    "F18: passing at will": (
        "act_choices",
        reordered(lambda actions, at: [*actions, PASS] if actions != [PASS] else actions),
        3,
    ),
    "F19: passes with an act between them": ("act", keep_passes, 3, SMALL),
    "F19: a deadlock won": ("ranking", everybody_a_winner, 2),
    "F19: a deadlock with one player still to pass": (
        "note_pass",
        after(lambda at, rules: at.passes == 1 and flock.end_game(at, "deadlock")),
        2,
    ),
    "F20: the cap of all turns": (
        "end_action",
        lambda right: lambda at, rules: right(at, {**rules, "turn_cap": rules["turn_cap"] / at.players}),
        3,
        {"turn_cap": 9},
    ),
    "F20: the cap a turn late": (
        "end_action",
        lambda right: lambda at, rules: right(at, {**rules, "turn_cap": rules["turn_cap"] + 1}),
        3,
        {"turn_cap": 9},
    ),
    "F19: a forced round without end": (
        "end_activation",
        lambda right: lambda at, rules: right(at, {**rules, "rounds": rules["rounds"] + (at.activation["by"] is None)}),
        2,
        FORCED,
    ),
    "F19: whoever was due is left out": (
        "score",
        after(lambda at, rules: change(vars(at), acting=at.cycle_from(at.acting)[1])),
        2,
        FORCED,
    ),
    "F20: the cap before a deadlock": ("note_pass", cap_before_deadlock, 2, {**SMALL, "turn_cap": 8}),
    "F21: no count of resources": ("final_order", instead(final_order_without_resources), 2, NO_VP),
    "F21: the right of the track": ("final_order", final_order_from_the_right, 5, NO_VP),
    "F21: eggs only": ("final_order", final_order_by_eggs, 3, NO_VP),
    "F22: two cards in Free Flight": (
        "relocate",
        lambda right: lambda at, rules, action: right(at, {**rules, "relocate_limit": 2}, action),
        3,
        FREE,
    ),
    "F23: the cost of the first round for good": (
        "upkeep_cost",
        lambda right: lambda at, rules: {"nests": 2, "worms": 2},
        3,
        {**HUNGRY, "starting_birds": 8, "gain_single": {"feeding": 6, "nesting": 6}},
    ),
    "F23: two birds free": (
        "birds_to_pay_for",
        lambda right: lambda at, rules, name: right(at, {**rules, "free_birds": 2}, name),
        3,
        HUNGRY,
    ),
    "F25: a player's flocks score as one": (
        "scoring_order",
        one_flock_each,
        2,
        TWO_FLOCKS,
    ),
    "F25: activating for the other flock": (
        "can_activate",
        lambda right: (
            lambda at, rules, name, card: any(
                right(at, rules, other, card) for other in at.flocks if flock.owner(other) == flock.owner(name)
            )
        ),
        2,
        TWO_FLOCKS,
    ),
    "F25: a threshold of one's own birds": (
        "can_activate",
        lambda right: (
            lambda at, rules, name, card: (
                right(at, rules, name, card)
                and (
                    card != "competition"
                    or sum(at.birds(other, card) for other in at.flocks if flock.owner(other) == flock.owner(name))
                    >= flock.threshold(at, rules)
                )
            )
        ),
        2,
        TWO_FLOCKS,
    ),
    "F26: the other side of the card": (
        "dominance_side",
        lambda right: lambda rules, players: "4-5" if right(rules, players) == "2-3" else "2-3",
        2,
        TWO_FLOCKS,
    ),
    "F27: one's own flock sent home": (
        "opponents_on",
        instead(lambda at, name, card: [other for other in at.flocks_on(card) if other != name]),
        2,
        TWO_FLOCKS,
    ),
    "F28: the worm to the right flock": (
        "set_up",
        set_up_with(
            lambda at: [change(at.flocks[name], worms=n) for name, n in (("1-left", 0), ("1-right", 1))],
        ),
        2,
        TWO_FLOCKS,
    ),
    "F29: the left flock robbed": ("robs_left_flock", instead(lambda *given: False), 2, CROWDED),
    "F29: protected though it had nothing": ("robs_left_flock", robbed_though_it_had_none, 2, CROWDED),
    "F29: every pass counts": (
        "pass_counts",
        instead(lambda *given: True),
        2,
        {**CROWDED, "protect_left_flock": False},
    ),
    "F30: Competition for both": ("act", never_bars, 2, TWO_FLOCKS),
    "F30: the left flock's action lost": (
        "score",
        after(lambda at, rules: change(vars(at), acting=flock.left_of(at.acting))),
        2,
        TWO_FLOCKS,
    ),
    "F31: relocations close a card": ("dominance", bars_relocations, 2, TWO_FLOCKS),
    "F31: a card closed for good": (
        "end_action",
        lambda right: (
            lambda at, rules: (barred := at.barred, right(at, rules), setattr(at, "barred", at.barred or barred))
        ),
        2,
        TWO_FLOCKS,
    ),
}


def put_wrong(patch, name, wrong):
    """The oracle with another version of one of its functions, in its tables of functions too."""
    right = getattr(flock, name)
    patch.setattr(flock, name, wrong(right))
    for table in (flock.CHOICES, flock.EFFECTS):
        for kind in [kind for kind, function in table.items() if function is right]:
            patch.setitem(table, kind, wrong(right))


@pytest.mark.parametrize("ruling", MUTANTS)
def test_referee_notices_games_with_a_ruling_wrong(monkeypatch, ruling):
    """Games played by an oracle that has one rule wrong: the referee has to complain of some of them."""
    name, wrong, players, *changes = MUTANTS[ruling]
    for seed in range(60):
        with monkeypatch.context() as patch:
            put_wrong(patch, name, wrong)
            lines = list(oracle_trace(players, seed, **dict(*changes)))
        if referee(lines):
            return
    pytest.fail("no game gave it away")
