"""What holds in every position of Flockers, whatever the rules and whoever plays; and what only the engine shows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.layout import new_records
from flocksim.simulate.streams import DICE
from flocksim.simulate.table import Table
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.rules.flockers_positions import (
    end,
    flock_deck,
    fly,
    play,
    position,
    remove,
    rules_of,
    take,
    terrain_deck,
    use,
)

GAME = load_game("flockers")
NEVER_ENDING = 20_000  # decisions; a chain of decisions that did not end would pass this

GOOSE = st.sampled_from(["adult-white", "adult-blue", "juvenile-white", "juvenile-blue"])
ICON = st.sampled_from(["mountain", "forest", "field", "lake"])
SPACE = st.sampled_from(["", ":decoy", ":north-wind", ":fox", ":bald-eagle"])


@st.composite
def flock_decks(draw):
    """Decks that hold what the shipped one does not: rich bonuses, cards without a main action."""
    rows = []
    for number in range(draw(st.integers(10, 40))):
        bonus = draw(st.lists(st.sampled_from(["fly", "navigate", "graze", "swap"]), max_size=4))
        icons = draw(st.lists(ICON, max_size=4))
        count = draw(st.integers(1, 3)) if bonus or icons else ""
        action = draw(st.sampled_from(["", "fly", "fly", "navigate", "navigate", "graze", "swap", "lead"]))
        top = draw(st.one_of(st.just(""), ICON))
        rows.append(f"C{number:02},{draw(GOOSE)},{action},{top},{count},{' '.join(bonus)},{' '.join(icons)}")
    return flock_deck(*rows, plain=draw(st.integers(30, 60)))


@st.composite
def terrain_decks(draw):
    cards = []
    for number in range(draw(st.integers(10, 20))):
        terrains = draw(st.lists(ICON, min_size=1, max_size=4, unique=True))
        cards.append(" ".join([f"T{number}", *(terrain + draw(SPACE) for terrain in terrains)]))
    return terrain_deck(*cards, plain=draw(st.integers(1, 5)))


RULES = st.fixed_dictionaries(
    {},
    optional={
        "flock_cards": flock_decks(),
        "terrain_cards": terrain_decks(),
        "iconless": st.sampled_from(["skip", "stop"]),
        "mismatch": st.sampled_from(["stop", "skip"]),
        "decoy_shape": st.sampled_from(["choose", "keep"]),
        "draw_from_deck": st.booleans(),
        "final_card": st.integers(1, 12),
        "turn_cap": st.integers(1, 30),
        "hand_size": st.integers(1, 10),
        "flock_size": st.integers(2, 7),
        "flock_display": st.integers(1, 6),
        "terrain_display": st.integers(1, 6),
        "solo_tie_wins": st.booleans(),
        "automa_bottom_icons": st.booleans(),
        "automa_tie": st.sampled_from(["leftmost", "rightmost"]),
    },
)


def built(players, changes):
    try:
        return rules_of(players, changes)
    except RulesError:
        assume(False)


def birds_of(flock):
    return [bird for bird in (flock["lead"], *flock["top"], *flock["bottom"]) if bird]


def check_state(state, rules):
    """Every card is somewhere, once; flocks, hands and displays keep to their sizes; tokens stand on the path."""
    geese = [*state["flock_display"], *state["draw_pile"], *state["discard"]]
    geese += [card for hand in state["hands"].values() for card in hand]
    geese += [bird for flock in state["flocks"].values() for bird in birds_of(flock)]
    assert sorted(geese) == sorted(card.card for card in rules.flock_cards.cards)
    terrain = [*state["path"], *state["terrain_display"], *state["terrain_deck"]]
    assert sorted(terrain) == sorted(card.card for card in rules.terrain_cards.cards)
    for flock in state["flocks"].values():
        assert len(birds_of(flock)) <= rules.flock_size
        assert max(len(flock["top"]), len(flock["bottom"])) <= 3
        assert flock["lead"] or state["decision"] == "slide" or not birds_of(flock)
    assert all(len(hand) <= rules.hand_size for hand in state["hands"].values())
    assert len(state["flock_display"]) == rules.flock_display
    assert len(state["terrain_display"]) == min(
        rules.terrain_display, len(rules.terrain_cards.cards) - len(state["path"])
    ) or bool(state["terrain_deck"] == [])
    shown = {card.card: {space.terrain for space in card.spaces} for card in rules.terrain_cards.cards}
    for token in state["tokens"].values():
        if token["card"]:
            assert token["terrain"] in shown[state["path"][token["card"] - 1]]


def check_step(before, after):
    """Tokens only move forward, paths only grow; a player's token and flock change in its own turn alone."""
    seat = str(before["to_move"])
    for name, token in before["tokens"].items():
        moved = after["tokens"][name]["card"] - token["card"]
        assert moved >= 0 if name in (seat, "automa") else moved == 0
    assert after["path"][: len(before["path"])] == before["path"]
    assert set(before["out"]) <= set(after["out"])
    assert after["turn"] - before["turn"] in (0, 1)
    assert after["round"] - before["round"] in (0, 1)
    assert (after["played"] is None) == (after["decision"] == "play") or after["end_reason"]
    for name, flock in before["flocks"].items():
        assert name == seat or after["flocks"][name] == flock


def random_game(table, seed, check=lambda before, after: None):
    """Play uniformly random legal actions to the end."""
    rng = np.random.default_rng(seed)
    table.deal(seed)
    before = table.state()
    for _ in range(NEVER_ENDING):
        if table.over:
            return before
        codes = table.legal_codes()
        table.apply_code(codes[rng.integers(len(codes))])
        after = table.state()
        check(before, after)
        before = after
    raise AssertionError("the game does not end")


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(changes=RULES, players=st.integers(1, 4), seed=st.integers(0, 10**6))
def test_cards_are_accounted_for_and_tokens_move_forward(changes, players, seed):
    rules = built(players, changes)
    table = Table(GAME, rules, players)

    def check(before, after):
        check_state(after, rules)
        check_step(before, after)

    state = random_game(table, seed, check)
    end_ = table.end()
    reached = [token["card"] >= rules.final_card for token in state["tokens"].values()]
    assert (end_["end_reason"] == "win") == any(reached)
    assert end_["end_reason"] != "stuck" or len(state["out"]) == players
    assert state["last_turns"] == ([] if any(reached) else None)
    assert end_["rounds"] <= rules.turn_cap + 1
    winners = sum(place["win_share"] for place in end_["ranking"])
    assert winners in ((0, 1) if players == 1 else (float(end_["end_reason"] != "turn_cap"),))


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(changes=RULES, players=st.integers(1, 4), seed=st.integers(0, 10**6), stop=st.integers(0, 150))
def test_any_position_can_be_put_back_and_played_on_alike(changes, players, seed, stop):
    rules = built(players, changes)
    table, twin = Table(GAME, rules, players), Table(GAME, rules, players)
    rng = np.random.default_rng(seed)
    table.deal(seed)
    for _ in range(stop):
        if not table.over:
            codes = table.legal_codes()
            table.apply_code(codes[rng.integers(len(codes))])
    assume(not table.over)
    twin.place(table.state())
    twin.states["streams"][0] = table.states["streams"][0]
    for _ in range(30):
        assert twin.state() == table.state()
        assert twin.legal_codes() == table.legal_codes()
        if table.over:
            break
        code = rng.choice(table.legal_codes())
        assert table.apply_code(code) == twin.apply_code(code)


def counters(table, seat=1):
    return dict(zip(GAME.counters, table.states["counters"][0][seat - 1].tolist(), strict=True))


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_counters_add_up(players):
    """Over random games: every counter against what the decisions and states say."""
    rules = rules_of(players, {"flock_cards": flock_deck(*ACTIVE, plain=30), "terrain_cards": BUSY, "final_card": 6})
    table = Table(GAME, rules, players)
    rng = np.random.default_rng(players)
    seen = Counter()
    for seed in range(15):
        table.deal(seed)
        told = Counter()
        while not table.over:
            before = table.state()
            code = int(rng.choice(table.legal_codes()))
            action, kind = GAME.words_under(rules).action(code, table.states[0]), table.decision
            seat = before["to_move"]
            table.apply_code(code)
            after = table.state()
            count(told, seat, kind, action, before, after, rules)
        table.end()
        state = table.state()
        for seat in range(1, players + 1):
            counted = counters(table, seat)
            birds = birds_of(state["flocks"][str(seat)])
            geese = Counter(card.goose for card in rules.flock_cards.cards if card.card in birds)
            assert counted["flock_size"] == len(birds)
            for goose in ("adult-white", "adult-blue", "juvenile-white", "juvenile-blue"):
                assert counted[goose.replace("-", "_")] == geese[goose]
            assert counted["distance"] == state["tokens"][str(seat)]["card"]
            assert counted["path_length"] == len(state["path"])
            for name in TOLD:
                assert counted[name] == told[seat, name], name
                seen[name] += counted[name]
    assert min(seen[name] for name in TOLD) > 0


ACTIVE = [
    f"C{number:02},{goose},{action},{top},1,{bonus},{icons}"
    for number, (goose, action, top, bonus, icons) in enumerate(
        (goose, action, top, bonus, icons)
        for goose in ("adult-white", "juvenile-white")
        for action, top, bonus, icons in (
            ("fly", "lake", "graze", "field"),
            ("navigate", "lake", "fly", ""),
            ("graze", "field", "navigate", ""),
            ("swap", "mountain", "fly", "lake field"),
            ("lead", "lake", "fly", ""),
            ("fly", "field", "navigate", "lake"),
        )
        for _ in range(3)
    )
]
BUSY = terrain_deck(
    *(f"B{number} lake:{met} field:fox" for number, met in enumerate(("decoy", "north-wind", "bald-eagle") * 6))
)
TOLD = (
    "turns",
    "flights",
    "spaces_flown",
    "bonus_actions",
    "met_decoy",
    "met_north_wind",
    "met_fox",
    "met_bald_eagle",
    "navigates",
    "swaps",
    "leads",
    "grazed",
    "lost_to_fox",
    "lost_to_eagle",
)


def count(told, seat, kind, action, before, after, rules):
    """What one decision adds to a seat's counters."""
    name = str(seat)
    told[seat, "turns"] += kind == "play"
    told[seat, "navigates"] += kind == "navigate"
    told[seat, "swaps"] += kind == "swap"
    told[seat, "bonus_actions"] += action.get("part") == "bonus"
    told[seat, "leads"] += before["activated"] is None and after["activated"] is not None
    lost = len(birds_of(before["flocks"][name])) - len(birds_of(after["flocks"][name]))
    told[seat, "grazed"] += lost if kind == "graze" else 0
    told[seat, "lost_to_fox"] += lost if kind == "fox" else 0
    if kind in ("fly", "north_wind"):
        told[seat, "lost_to_eagle"] += lost
        token = after["tokens"][name]
        told[seat, "flights"] += kind == "fly"
        told[seat, "spaces_flown"] += token["card"] - before["tokens"][name]["card"] if kind == "fly" else 0
        card = next(card for card in rules.terrain_cards.cards if card.card == after["path"][token["card"] - 1])
        met = next(space.encounter for space in card.spaces if space.terrain == token["terrain"])
        if met:
            told[seat, f"met_{met.replace('-', '_')}"] += 1


def placed(rules, players=2, **where_):
    table = Table(GAME, rules, players)
    table.place(position(rules, players, **where_))
    return table


def test_bonus_icons_flown_by_are_counted():
    """AW05's two mountains with AW02 behind it: two of three steps; along the top row where both rows get there."""
    table = placed(rules_of(2, {}), flocks={1: "AW05"}, hands={1: "AW02"}, path="T13 T15 T16 T04", at={1: "1 mountain"})
    play(table, "AW02", "top")
    use(table, "card main fly")
    fly(table, 4, "forest")
    assert counters(table)["bonus_icons"] == 2
    assert counters(table)["spaces_flown"] == 3


@pytest.mark.parametrize("seat", [1, 2])
def test_who_reached_the_final_card_first(seat):
    table = placed(
        rules_of(2, {"final_card": 1}), hands={1: "AW01 AB01", 2: "AB04 AB02"}, path="T13", maps="T01 T02 T03"
    )
    for card in ("AW01", "AB04") if seat == 1 else ("AB01", "AB04"):
        play(table, card)
        if card != "AB01":
            use(table, "card main fly")
            fly(table, 1, "mountain")
        end(table)
        if table.decision == "replenish":
            take(table)
    assert [counters(table, other)["triggered_end"] for other in (1, 2)] == [int(other == seat) for other in (1, 2)]


def test_k10_every_order_is_as_likely():
    """Three birds in six orders."""
    deck = flock_deck("A,adult-white,fly,lake,,,", "B,adult-white,,lake,,,", "C,adult-white,,lake,,,")
    rules = rules_of(2, {"flock_cards": deck, "terrain_cards": terrain_deck("D lake:decoy")})
    table = placed(rules, flocks={1: "B / C"}, hands={1: "A"}, path="D")
    play(table, "A", "top")
    use(table, "card main fly")
    fly(table, 1, "lake")
    orders = Counter()
    for seed in range(1200):
        twin = table.copy()
        twin.states["streams"][0][DICE] = seed
        orders["".join(event["decoy"] for event in twin.apply({"rows": [1, 1]}))] += 1
    assert len(orders) == 6
    assert all(150 < number < 250 for number in orders.values())


# --- hidden information ---


def test_redealing_keeps_what_a_seat_has_seen():
    """Its own hand, and the cards that others took from the display; not the rest of their hands, nor the decks."""
    table = placed(rules_of(3, {}), players=3, display="AW01 AW02 AW03", hands={2: "AB01 AB02 AB03 AB04 AB05"})
    for card in ("AW01", "AW02"):
        play(table, table.legal()[-1]["play"])
        end(table)
        take(table, card)
    state = table.state()
    assert "AW02" in state["hands"]["2"]
    hands, draws, terrains = set(), set(), set()
    for _ in range(40):
        table.redeal(1)
        after = table.state()
        assert after["hands"]["1"] == state["hands"]["1"]
        assert "AW02" in after["hands"]["2"]
        assert [len(hand) for hand in after["hands"].values()] == [5, 5, 5]
        check_state(after, rules_of(3, {}))
        order = [card.card for card in rules_of(3, {}).flock_cards.cards]
        assert all(hand == sorted(hand, key=order.index) for hand in after["hands"].values())
        assert {key: value for key, value in after.items() if key not in HIDDEN} == {
            key: value for key, value in state.items() if key not in HIDDEN
        }
        hands.add(tuple(after["hands"]["2"]))
        draws.add(tuple(after["draw_pile"]))
        terrains.add(tuple(after["terrain_deck"]))
    assert min(len(hands), len(draws), len(terrains)) > 30


HIDDEN = ("hands", "draw_pile", "terrain_deck")


def test_a_card_drawn_from_the_deck_stays_hidden():
    table = placed(rules_of(2, {"draw_from_deck": True}), hands={1: "AW13 AB01"}, top="JW05")
    play(table, "AW13")
    end(table)
    table.apply({"draw": True})
    held = set()
    for _ in range(40):
        table.redeal(2)
        held.add("JW05" in table.state()["hands"]["1"])
    assert False in held


def test_a_seen_card_that_was_played_and_grazed_hides_nothing():
    """What a hand is known to hold goes with the card."""
    table = placed(rules_of(2, {}), hands={1: "AW10 AB13", 2: "JB01"}, display="AW13 AW12 AW11")
    play(table, "AW10")
    end(table)
    take(table, "AW13")
    play(table, "JB01")
    end(table)
    take(table)
    play(table, "AW13", "top")
    held = set()
    for _ in range(40):
        table.redeal(2)
        held |= set(table.state()["hands"]["1"])
    assert len(held) > 10


def test_redealing_changes_the_chance_to_come():
    """Nobody knows how a decoy will fall."""
    deck = flock_deck("A,adult-white,fly,lake,,,", "B,adult-white,,lake,,,", "C,adult-white,,lake,,,")
    rules = rules_of(2, {"flock_cards": deck, "terrain_cards": terrain_deck("D lake:decoy")})
    table = placed(rules, flocks={1: "B / C"}, hands={1: "A"}, path="D")
    play(table, "A", "top")
    use(table, "card main fly")
    fly(table, 1, "lake")
    fallen = set()
    for _ in range(30):
        table.redeal(1)
        fallen.add(str(table.copy().apply({"rows": [1, 1]})))
    assert len(fallen) > 3


def test_states_are_small():
    """Search copies them over and over."""
    assert new_records(GAME.state).nbytes < 2_700


def test_a_graze_from_a_placed_position():
    """A position in the middle of a chain: one bird is chosen already."""
    rules = rules_of(2, {})
    table = placed(
        rules,
        flocks={1: "AB10 / AW01 AW10"},
        path="T13",
        decision="graze",
        played="AW10",
        used={"main": True, "bonus": [], "lead_main": False, "lead_bonus": []},
        chosen=["lead"],
    )
    assert table.legal() == [{"remove": "top-1"}, {"remove": "top-2"}, {"stop": True}]
    remove(table, "top-2")
    assert table.legal() == [{"slide": "top"}]
