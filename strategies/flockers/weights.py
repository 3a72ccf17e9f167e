"""The features by which the shipped bots of Flockers judge a choice, in the order of the weights."""

from __future__ import annotations

FEATURES = {
    # --- the journey ---
    "distance": "turn: cards of the path flown, the flights that the turn still allows included.",
    "arrival": "turn: the final card is reached.",
    "flight_ahead": "turn: cards that the best flight would cover next turn, a fly card in hand at the end of its row; "
    "half of them after a decoy.",
    "flight_later": "turn: cards that the best flight of the flock would cover, without a fly card in hand; half of "
    "them after a decoy.",
    "runway": "turn: cards of the path beyond that flight, up to three.",
    "navigating": "turn: terrain cards added.",
    "rival_flight": "turn: cards by which terrain added lengthens the flights of the other flocks, each on average.",
    # --- the flock ---
    "room": "turn: free places (0: the flock is full; 1: a half, 2: two thirds, 3: three quarters, and so on).",
    "graze_ready": "turn, replenish: a graze card in hand, over one more than the free places.",
    "graze_icons": "turn: birds of the flock with the graze icon.",
    "kin": "turn, replenish: geese of the flock's most frequent type; a card taken that is of it.",
    "bonuses_ready": "turn: bonus terrain and bonus actions that the flock identifies.",
    "lead_ready": "turn: what the lead bird's card would do for a Lead in hand: main action, identified bonus actions.",
    "even_rows": "decoy: how even the rows are (1: equally long, 0: one holds all).",
    "tie_break": "turn: birds of a flock that will not go on; geese of its most frequent type are a tenth of it.",
    # --- what is met and done ---
    "met_decoy": "turn: a flight ends at a decoy.",
    "met_north_wind": "turn: a flight ends in the north wind.",
    "met_fox": "turn: a flight ends at a fox.",
    "met_bald_eagle": "turn: a flight ends at a bald eagle.",
    "swapping": "turn: swaps.",
    # --- the hand ---
    "keep_fly": "play, replenish: a fly card left in hand, or taken. Here and below each further one is half.",
    "keep_navigate": "play, replenish: a navigate card left in hand, or taken.",
    "keep_graze": "play, replenish: a graze card left in hand, or taken.",
    "keep_swap": "play, replenish: a swap card left in hand, or taken.",
    "keep_lead": "play, replenish: a lead card left in hand, or taken.",
    "next_use": "replenish: what playing that card next would bring, as the flock stands.",
    "blind_draw": "replenish: a card drawn unseen from the deck, over playing none.",
    "slow_automa": "replenish, solo: cards by which taking that card shortens the automa's next flight.",
}
"""Feature -> what it measures, after the decisions that it judges (turn: all but replenish and decoy)."""

(
    DISTANCE,
    ARRIVAL,
    FLIGHT_AHEAD,
    FLIGHT_LATER,
    RUNWAY,
    NAVIGATING,
    RIVAL_FLIGHT,
    ROOM,
    GRAZE_READY,
    GRAZE_ICONS,
    KIN,
    BONUSES_READY,
    LEAD_READY,
    EVEN_ROWS,
    TIE_BREAK,
    MET_DECOY,
    MET_NORTH_WIND,
    MET_FOX,
    MET_BALD_EAGLE,
    SWAPPING,
    KEEP_FLY,
    KEEP_NAVIGATE,
    KEEP_GRAZE,
    KEEP_SWAP,
    KEEP_LEAD,
    NEXT_USE,
    BLIND_DRAW,
    SLOW_AUTOMA,
) = range(len(FEATURES))
