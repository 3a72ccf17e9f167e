"""Rules of Flockers that nobody printed, with decks of their own."""

import random

from tests.oracle.flockers_cards import ACTIONS, ENCOUNTERS, GEESE, TERRAINS, standard_rules


def odd_flock_card(rng, number):
    """Bonus actions and bonus icons, with or without a main action and a top icon."""
    bonus_actions = rng.choices(ACTIONS[:4], k=rng.choice([0, 0, 1, 2, 3]))
    bonus_terrain = rng.choices(TERRAINS, k=rng.choice([0, 0, 1, 2, 3]))
    return {
        "card": f"Z{number:03}",
        "goose": rng.choice(GEESE),
        "action": rng.choice([None, *ACTIONS, *ACTIONS]),
        "terrain": rng.choice([None, *TERRAINS]),
        "identify": rng.randint(1, 3) if bonus_actions or bonus_terrain else None,
        "bonus_actions": bonus_actions,
        "bonus_terrain": bonus_terrain,
    }


def odd_flock_deck(rng, size):
    return {"name": "odd.csv", "cards": [odd_flock_card(rng, number) for number in range(size)]}


def odd_terrain_card(rng, number, fewest=1):
    """The first card has 3 terrains."""
    terrains = rng.sample(TERRAINS, rng.randint(fewest, 4)) if number else TERRAINS[:3]
    spaces = [{"terrain": terrain, "encounter": rng.choice([None, None, *ENCOUNTERS])} for terrain in terrains]
    return {"card": f"U{number:02}", "spaces": spaces}


def odd_terrain_deck(rng, size, fewest=1):
    return {"name": "odd.csv", "cards": [odd_terrain_card(rng, number, fewest) for number in range(size)]}


def odd_rules(rng, players):
    """Every parameter somewhere else, now and then, and decks of one's own just large enough or larger."""
    odd = {
        "iconless": rng.choice(["skip", "stop"]),
        "mismatch": rng.choice(["skip", "stop"]),
        "decoy_shape": rng.choice(["choose", "keep"]),
        "draw_from_deck": rng.choice([False, True]),
        "final_card": rng.randint(1, 12),
        "turn_cap": rng.choice([1, 3, 12, 40]),
        "hand_size": rng.randint(1, 7),
        "flock_size": rng.randint(2, 7),
        "flock_display": rng.randint(1, 6),
        "terrain_display": rng.randint(1, 6),
        "solo_tie_wins": rng.choice([False, True]),
        "automa_bottom_icons": rng.choice([False, True]),
        "automa_tie": rng.choice(["leftmost", "rightmost"]),
    }
    share = rng.choice([0.2, 0.5, 0.9])
    rules = {name: value for name, value in odd.items() if rng.random() < share}
    full = standard_rules(**rules)
    fewest = players * (full["hand_size"] + full["flock_size"] - 1) + full["flock_display"]
    if fewest > 72 or rng.random() < 0.7:
        rules["flock_cards"] = odd_flock_deck(rng, fewest + rng.choice([0, 1, 20]))
    if rng.random() < 0.7:
        fewest = max(full["terrain_display"] + 1, full["final_card"])
        rules["terrain_cards"] = odd_terrain_deck(rng, fewest + rng.choice([0, 0, 3, 12]))
    return rules


# Rules by which much happens: long flights, encounters nearly everywhere, cards with several bonus actions.
WILD = {
    "mismatch": "skip",
    "final_card": 6,
    "turn_cap": 30,
    "flock_cards": odd_flock_deck(random.Random(1), 80),
    "terrain_cards": odd_terrain_deck(random.Random(1), 24, fewest=2),
}


# --------------------------------------------------------------------------------- decks as config files


def as_config(rules):
    """The rules as a config writes them: decks as the text of their files."""
    writers = {"flock_cards": flock_text, "terrain_cards": terrain_text}
    return {
        name: {"name": value["name"], "text": writers[name](value["cards"])} if name in writers else value
        for name, value in rules.items()
    }


def flock_text(cards):
    rows = ["card,goose,action,terrain,identify,bonus_actions,bonus_terrain"]
    for card in cards:
        values = [" ".join(value) if isinstance(value, list) else str(value or "") for value in card.values()]
        rows.append(",".join(values))
    return "\n".join(rows) + "\n"


def terrain_text(cards):
    rows = ["card,space,terrain,encounter"]
    for card in cards:
        for place, space in enumerate(card["spaces"], start=1):
            rows.append(f"{card['card']},{place},{space['terrain']},{space['encounter'] or ''}")
    return "\n".join(rows) + "\n"
