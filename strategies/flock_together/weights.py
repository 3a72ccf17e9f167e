"""The features by which the shipped bots of Flock Together judge a choice, in the order of the weights."""

from __future__ import annotations

FEATURES = {
    # --- playing ---
    "cards_laid": "play: cards laid out of the hand.",
    "cards_caught": "play: cards caught.",
    "species_left": "play: different species left in hand when the play's species is laid.",
    "flock_progress": "play: how much nearer the hand comes to small flocks; laying moves it away again. "
    "A species counts the square of the part it has, so 4 of 5 birds are worth far more than 2 of 5.",
    "new_species_progress": "play: flock_progress, only for species that the own collection lacks.",
    "set_progress": "play: flock_progress, only for species whose set is not full; more, the fuller it is.",
    "big_flock_progress": "play: how much nearer the hand is to big flocks (0: a small one, 1: a big one).",
    "flight_ahead": "play: the fly score of the best flight that the play makes possible this turn.",
    "cards_offered": "play: how many more cards the next player can expect to catch from this row than "
    "before, by what is known of that hand and by the cards not seen yet.",
    "caught_from_next": "play: cards caught, less cards laid, of species that the next player still "
    "collects, each as a share of a small flock.",
    # --- emptying the hand ---
    "ends_round": "play, draw, fly: the hand is empty, which ends the round.",
    "ends_round_on_full_hands": "play, draw, fly: the hand is empty; more, the fuller the hands that the "
    "others lose (1: as many cards as were dealt).",
    # --- drawing ---
    "draw": "draw: drawing.",
    "draw_when_low": "draw: drawing; more, the fewer cards are in hand (0: as many as were dealt, 1: none).",
    # --- flying ---
    "fly": "fly: flying a flock, whichever it is.",
    "fly_big": "fly: the flock is a big one.",
    "fly_new_species": "fly: the own collection lacks the species.",
    "fly_set_cards": "fly: cards that fill a set; the last ones count more than the first (a whole set 1).",
    "fly_full_set": "fly: the flock fills a set.",
    "fly_win": "fly: the flock wins the game.",
    "fly_cards_given_up": "fly: cards of the flock that go to the discard pile.",
    "fly_nearly_big": "fly: the flock is small, but nearly big (1: one card short).",
    "fly_before_round_ends": "fly: flying a flock; more, the closer another hand is to empty (1: one bird).",
}
"""Feature -> what it measures, after the decisions that it judges."""

(
    CARDS_LAID,
    CARDS_CAUGHT,
    SPECIES_LEFT,
    FLOCK_PROGRESS,
    NEW_SPECIES_PROGRESS,
    SET_PROGRESS,
    BIG_FLOCK_PROGRESS,
    FLIGHT_AHEAD,
    CARDS_OFFERED,
    CAUGHT_FROM_NEXT,
    ENDS_ROUND,
    ENDS_ROUND_ON_FULL_HANDS,
    DRAWING,
    DRAW_WHEN_LOW,
    FLYING,
    FLY_BIG,
    FLY_NEW_SPECIES,
    FLY_SET_CARDS,
    FLY_FULL_SET,
    FLY_WIN,
    FLY_CARDS_GIVEN_UP,
    FLY_NEARLY_BIG,
    FLY_BEFORE_ROUND_ENDS,
) = range(len(FEATURES))
