"""The features by which the shipped bots of Flock judge a choice, in the order of the weights."""

from __future__ import annotations

FEATURES = {
    # --- points, if the round were scored as the birds stand ---
    "card_points": "act, dominance, give_up, relocate: how many VP more (or fewer) the own birds would score there.",
    "rival_points": "act, dominance, send_home, give_up, relocate: how many VP more the opponents would score on "
    "cards, each on average.",
    "pool_points": "act, dominance, give_up, relocate: how many VP more the own pool would score.",
    "points_early": "act: how much these three count while Competition is empty (0: nothing, 1: all). They count in "
    "full once it has enough birds; always less by the part of the own birds that upkeep would cost.",
    # --- what a flock holds ---
    "birds": "act, perform: birds hatched.",
    "nests": "act, perform, upkeep: nests gained or spent.",
    "eggs": "act, perform: eggs gained or spent, as far as the stock has birds for them.",
    "worms": "act, perform, upkeep: worms gained or spent.",
    "upkeep_ready": "act, perform: for how many birds more the upkeep lies ready; a nest or worm alone is half of it.",
    "birds_missing": "act, perform: birds hatched, and half the eggs gained, up to what all flocks together lack to "
    "fill Competition and keep one bird each elsewhere.",
    "keep_birds": "upkeep: birds paid for.",
    # --- what birds on a card can do ---
    "work_ahead": "act, dominance, give_up, relocate: how much of what the own birds on a card could do counts "
    "already when they are put there (0: only what is done counts, 1: all of it).",
    "initiative": "act, dominance: spaces that the own marker moves to the left, on Dominance.",
    "opponents_work": "act: opponents' birds that come home from the activated card, each opponent's on average.",
    "send_leader_home": "send_home: the bird belongs to the opponent with the most VP.",
    # --- ending rounds ---
    "competition_bird": "act, dominance: birds put on Competition.",
    "relocation_ahead": "act: a bird put on Competition, times the VP that relocating it would win against the best "
    "opponent; counts as the points above do.",
    "competition_when_ahead": "act: a bird put on Competition, times how full that makes it (1: enough birds), times "
    "the VP by which ending the round now would put the bot ahead of the best opponent, or behind.",
    "competition_late": "act: a bird put on Competition, or its activation; more, the longer rounds last (1: ten turns "
    "a player and round, 4: twenty, 9: thirty).",
    "too_few_left": "act: a bird put on Competition, times the birds by which fewer than two are left elsewhere (2: "
    "none is, and the flock can only wait), unless those left could fill it.",
    "birds_lost": "act: activating Competition, times the own birds that upkeep would cost for want of nests or worms; "
    "of putting a bird there, the part by which it is then full.",
    "all_lost": "act: activating Competition before the last round, or filling it, when upkeep would cost the flock "
    "its last bird.",
    "end_round": "act: activating Competition.",
    "end_round_ahead": "act: activating Competition, times the VP by which that puts the bot ahead of the best "
    "opponent, or behind: those of this round, in the last round those of the game.",
    "end_game_ahead": "act: activating Competition in the last round (1: as the leader, -1: behind).",
    # --- and chance ---
    "whim": "every decision: a random number from 0 to 1, drawn anew for every choice.",
}
"""Feature -> what it measures, after the decisions that it judges."""

(
    CARD_POINTS,
    RIVAL_POINTS,
    POOL_POINTS,
    POINTS_EARLY,
    BIRDS,
    NEST,
    EGG,
    WORM,
    UPKEEP_READY,
    BIRDS_MISSING,
    KEEP_BIRDS,
    WORK_AHEAD,
    INITIATIVE,
    OPPONENTS_WORK,
    SEND_LEADER_HOME,
    COMPETITION_BIRD,
    RELOCATION_AHEAD,
    COMPETITION_WHEN_AHEAD,
    COMPETITION_LATE,
    TOO_FEW_LEFT,
    BIRDS_LOST,
    ALL_LOST,
    END_ROUND,
    END_ROUND_AHEAD,
    END_GAME_AHEAD,
    WHIM,
) = range(len(FEATURES))
