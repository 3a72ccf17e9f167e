-- Question: which games are worth reading: a typical one, the longest one and the closest one?
-- Grain: one row per kind of game that there is among the first ones of each case (first_games); no game is the
--   closest where all are won by the same lead. A lead is below zero where the winner's score is not the best.
-- Parameters: $variant, $players = the case of the typical game; $turns = how long games are there, the median.
-- Columns: kind; variant, players, game, turns, rounds, decisions, end_reason, margin, digest = of that game.
WITH typical AS (
    SELECT 'typical' AS kind, *
    FROM first_games
    WHERE variant = $variant AND players = $players
    ORDER BY end_reason <> 'win', abs(turns - $turns), game
    LIMIT 1
),
longest AS (
    SELECT 'longest' AS kind, *
    FROM first_games
    ORDER BY turns DESC, decisions DESC, variant <> $variant, variant, players, game
    LIMIT 1
),
closest AS (
    SELECT 'closest' AS kind, *
    FROM first_games
    WHERE
        winners = 1 AND players > 1
        AND abs(margin) < (SELECT max(abs(margin)) FROM first_games WHERE winners = 1 AND players > 1)
    ORDER BY abs(margin), variant <> $variant, players <> $players, variant, players, game
    LIMIT 1
)
SELECT kind, variant, players, game, turns, rounds, decisions, end_reason, margin, digest
FROM (FROM typical UNION ALL FROM longest UNION ALL FROM closest)
