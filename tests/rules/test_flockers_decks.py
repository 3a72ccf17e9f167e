"""Flockers' decks as files: what is refused and where, and decks that hold what the shipped one does not."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.games.flockers.decks import FlockCards, TerrainCards
from flocksim.simulate.table import Table
from flocksim.simulate.trace import pretty, trace_game
from flocksim.strategies.uniform import RANDOM

from tests.rules.flockers_positions import FLOCK_HEADER, TERRAIN_HEADER, flock_deck, rules_of, terrain_deck

GAME = load_game("flockers")


def refusal(key, text):
    with pytest.raises(RulesError) as caught:
        rules_of(2, {key: {"name": "mine.csv", "text": text}})
    assert caught.value.key == key
    assert "\n" not in str(caught.value)
    return str(caught.value)


def flock_refusal(row, header=FLOCK_HEADER):
    return refusal("flock_cards", f"{header}\nF1,adult-white,fly,lake,,,\n{row}\n")


def terrain_refusal(*rows, header=TERRAIN_HEADER):
    return refusal("terrain_cards", "\n".join([header, "T1,1,lake,", *rows]))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "F2,adult-whit,fly,lake,,,",
            "3:4: goose: unknown goose 'adult-whit' (did you mean 'adult-white'?); known: adult",
        ),
        (
            "F2,,fly,lake,,,",
            "3:4: goose: '' is not allowed; allowed: adult-white, adult-blue, juvenile-white, juvenile-",
        ),
        (
            "F2,adult-white,flly,lake,,,",
            "3:16: action: unknown action 'flly' (did you mean 'fly'?); known: fly, navigate",
        ),
        ("F2,adult-white,fly swap,lake,,,", "3:16: action: 'fly swap' is not allowed; allowed: one word"),
        ("F2,adult-white,fly,see,,,", "3:20: terrain: unknown terrain 'see'"),
        (
            "F2,adult-white,fly,mountan,,,",
            "terrain: unknown terrain 'mountan' (did you mean 'mountain'?); known: mountain,",
        ),
        ("F2,adult-white,fly,lake,2,,", "3:25: identify: 2 counts for nothing: the card has no bonus"),
        (
            "F2,adult-white,fly,lake,,swap,",
            "3:25: identify: bonus_actions needs a count; allowed: a whole number from 1 to",
        ),
        (
            "F2,adult-white,fly,lake,,,lake",
            "3:25: identify: bonus_terrain needs a count; allowed: a whole number from 1 to",
        ),
        ("F2,adult-white,fly,lake,0,,lake", "3:25: identify: '0' is not allowed; allowed: a whole number from 1 to 7"),
        ("F2,adult-white,fly,lake,8,,lake", "3:25: identify: '8' is not allowed"),
        ("F2,adult-white,fly,lake,two,,lake", "3:25: identify: 'two' is not allowed"),
        ("F2,adult-white,fly,lake,-1,,lake", "identify: '-1' is not allowed"),
        (
            "F2,adult-white,fly,lake,2,lead,",
            "3:27: bonus_actions: a bonus cannot be a lead; allowed: fly, navigate, graze,",
        ),
        ("F2,adult-white,fly,lake,2,fly lead,", "3:27: bonus_actions: a bonus cannot be a lead"),
        ("F2,adult-white,fly,lake,2,flay,", "3:27: bonus_actions: unknown bonus action 'flay' (did you mean 'fly'?)"),
        (
            "F2,adult-white,fly,lake,2,fly fly fly fly fly,",
            "3:27: bonus_actions: 'fly fly fly fly fly' is not allowed; al",
        ),
        (
            "F2,adult-white,fly,lake,2,,lake lakes",
            "3:28: bonus_terrain: unknown bonus terrain 'lakes' (did you mean 'lake'?)",
        ),
        (
            "F2,adult-white,fly,lake,2,,lake lake lake lake lake",
            "bonus_terrain: 'lake lake lake lake lake' is not allowed; ",
        ),
        ("F1,adult-white,fly,lake,,,", "3:1: card: there are two cards 'F1'"),
        (",adult-white,fly,lake,,,", "3:1: card: '' is not allowed; allowed: a name of 1 to 40 letters"),
        ("F" * 41 + ",adult-white,fly,lake,,,", "3:1: card: 'FFF"),
        ("F2,adult-white,fly,lake", "3: 4 cells; the header has 7"),
        ("F2,adult-white,fly,lake,,,,", "3: 8 cells; the header has 7"),
        ('F2,"adult-white,fly,lake,,,', "3: not a line of CSV: unexpected end of data"),
        ('"F2","adult-white" ,fly,see,,,', "3: not a line of CSV: ',' expected after '\"'"),
        ('"F,2",adult-white,fly,see,,,', "3:23: terrain: unknown terrain 'see'"),
    ],
)
def test_flock_cards_that_are_refused(row, message):
    assert f"flock_cards: mine.csv:{message}" in flock_refusal(row) or (
        message[0].isalpha() and message in flock_refusal(row)
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["T2,1,see,"], "3:6: terrain: unknown terrain 'see'"),
        (["T2,1,,"], "3:6: terrain: '' is not allowed; allowed: mountain, forest, field, lake"),
        (["T2,1,lake,wolf"], "3:11: encounter: unknown encounter 'wolf'"),
        (
            ["T2,1,lake,foxx"],
            "3:11: encounter: unknown encounter 'foxx' (did you mean 'fox'?); known: decoy, north-wind,",
        ),
        (["T1,2,lake,"], "3:6: terrain: 'lake' stands on T1 twice; allowed: each terrain once on a card"),
        (["T1,3,field,"], "3:4: space: '3' is not allowed; allowed: 2, the next of T1"),
        (["T2,2,field,"], "3:4: space: '2' is not allowed; allowed: 1, the next of T2"),
        (["T2,,field,"], "3:4: space: '' is not allowed; allowed: 1"),
        (["T2,1,lake,", "T1,2,field,"], "4:1: card: there are two cards 'T1': the lines of a card stand together"),
        ([",1,lake,"], "3:1: card: '' is not allowed; allowed: a name of 1 to 40 letters"),
        (["T2,1,lake"], "3: 3 cells; the header has 4"),
        ([f"U{number},1,lake," for number in range(80)], "82: more than 80 cards"),
    ],
)
def test_terrain_cards_that_are_refused(rows, message):
    assert f"terrain_cards: mine.csv:{message}" in terrain_refusal(*rows)


def test_at_most_120_flock_cards():
    text = flock_deck(plain=121)["text"]
    assert "flock_cards: mine.csv:122: more than 120 cards" in refusal("flock_cards", text)
    assert len(rules_of(2, {"flock_cards": flock_deck(plain=120)}).flock_cards.cards) == 120
    assert len(rules_of(2, {"terrain_cards": terrain_deck(plain=80)}).terrain_cards.cards) == 80


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (
            "card,goose,action,terain,identify,bonus_actions,bonus_terrain",
            "1:19: unknown column 'terain' (did you mean 't",
        ),
        (
            "card,goose,action,terrain,identify,bonus_actions",
            "1: column 'bonus_terrain' is missing; wanted: card, goose",
        ),
        ("card,goose,goose,action,terrain,identify,bonus_actions", "1:6: column 'goose' stands there twice"),
    ],
)
def test_headers_that_are_refused(header, message):
    assert f"flock_cards: mine.csv:{message}" in flock_refusal("", header)


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "1: the file is empty; its first line is: card,goose"), (FLOCK_HEADER, " there is no card")],
)
def test_files_without_a_card(text, message):
    assert f"flock_cards: mine.csv:{message}" in refusal("flock_cards", text)
    assert "there is no card" in refusal("terrain_cards", TERRAIN_HEADER)


def test_columns_in_any_order_capitals_spaces_and_empty_lines():
    header = "Goose , card,terrain,action,bonus_terrain,identify,bonus_actions"
    text = f"{header}\r\n\r\n Adult-White,Big Bird,,FLY,,,\r\n,,,,,,\r\n"
    deck = FlockCards.parse("mine.csv", text)
    assert deck.model_dump()["cards"] == [
        {
            "card": "Big Bird",
            "goose": "adult-white",
            "action": "fly",
            "terrain": None,
            "identify": None,
            "bonus_actions": [],
            "bonus_terrain": [],
        }
    ]


def test_a_file_beside_the_config(tmp_path):
    (tmp_path / "mine.csv").write_text(flock_deck()["text"])
    rules = GAME.parameters.build(2, {"flock_cards": "mine.csv"}, folder=tmp_path)
    assert rules.flock_cards.cards[0].card == "P01"
    assert re.fullmatch(r"mine.csv \([0-9a-f]{8}\)", str(rules.flock_cards))


def test_the_shipped_decks():
    """72 geese, 18 of each type, and 28 terrain cards (The Bits); as many of each action and icon for every type."""
    rules = GAME.parameters.build(2)
    cards = rules.flock_cards.cards
    assert Counter(card.goose for card in cards) == dict.fromkeys(
        ("adult-white", "adult-blue", "juvenile-white", "juvenile-blue"), 18
    )
    for goose in ("adult-white", "juvenile-blue"):
        actions = Counter(card.action for card in cards if card.goose == goose)
        assert actions == {"fly": 5, "navigate": 4, "graze": 4, "swap": 2, "lead": 3}
    assert len(rules.terrain_cards.cards) == 28
    assert str(rules.flock_cards) == "flock_cards.csv"
    assert "shipped decks" in GAME.provenance


RICH = [
    "C1,adult-white,,,1,navigate graze swap fly,",
    "C2,adult-white,lead,lake,2,navigate,lake forest field mountain",
    "C3,adult-blue,graze,,,,",
    "Big Bird,adult-blue,fly,,1,,lake",
]


def test_a_trace_holds_a_deck_whole_and_tells_its_names():
    deck, terrain = flock_deck(*RICH, plain=20), terrain_deck("Sea lake:fox", plain=12)
    rules = rules_of(1, {"flock_cards": deck, "terrain_cards": terrain})
    lines = list(trace_game(GAME, rules, 1, [RANDOM], seed=2))
    dumped = lines[0]["rules"]
    assert dumped["flock_cards"]["name"] == "deck.csv"
    assert dumped["terrain_cards"]["cards"][0] == {
        "card": "Sea",
        "spaces": [{"terrain": "lake", "encounter": "fox"}],
    }
    assert GAME.parameters.model_validate(dumped) == rules.model_copy(
        update={name: getattr(rules, name).model_copy(update={"text": ""}) for name in ("flock_cards", "terrain_cards")}
    )
    told = "\n".join(pretty(GAME, lines))
    assert "P01" in told


def test_games_with_a_rich_deck_end():
    rules = rules_of(3, {"flock_cards": flock_deck(*RICH, plain=36), "terrain_cards": terrain_deck("Sea lake:fox")})
    for seed in range(20):
        lines = list(trace_game(GAME, rules, 3, [RANDOM], seed=seed))
        assert lines[-1]["end_reason"] in ("win", "stuck", "turn_cap")


def test_cards_are_the_decks_own_in_every_position():
    rules = rules_of(2, {"flock_cards": flock_deck(*RICH)})
    table = Table(GAME, rules, 2)
    table.deal(1)
    assert all(name in {card.card for card in rules.flock_cards.cards} for name in table.state()["draw_pile"])
    assert isinstance(rules.terrain_cards, TerrainCards)
