-- Question: how well do standings tell the winner as a game goes on?
-- Grain: one row per variant, player count, tenth of the game (1 to 10: after so many tenths of its turns) and measure;
--   recorded games of two players and more.
-- Parameters: $tenths = which tenths of a game to tell.
-- Columns: units; games and total, by measure:
--   runaway: games in which one seat leads alone, and what that seat won of them, in 2520ths (won_seats)
--   alone: games, and those in which one seat leads alone
--   auc: pairs of a winner and another seat of one game, and 2 for every pair in which the winner stands better, 1 where
--     both stand alike (Hanley and McNeil 1982)
--   and sums of squares and products over units.
-- differing = units whose total / games is not the commonest one.
WITH tenths AS (
    FROM arc_tenths() WHERE players > 1 AND list_contains($tenths, tenth)
),
leads AS (
    SELECT variant, players, block, game, tenth, leader_of(standings) AS seat FROM tenths
),
led AS (
    SELECT
        l.variant, l.players, l.tenth, arc_unit_of(l.players, l.block) AS unit,
        count(l.seat) AS alone, count(*) AS games, CAST(coalesce(sum(w.won), 0) AS BIGINT) AS won
    FROM leads AS l LEFT JOIN won_seats() AS w USING (variant, players, game, seat)
    GROUP BY ALL
),
levels AS (
    SELECT
        variant, players, game, block, tenth, win_share > 0 AS won, standings[seat] AS standing
    FROM tenths INNER JOIN recorded_seats USING (variant, players, game, block)
),
pairs AS (
    SELECT
        w.variant, w.players, w.tenth, arc_unit_of(w.players, w.block) AS unit,
        count(*) AS pairs,
        CAST(sum(if(w.standing > o.standing, 2, if(w.standing = o.standing, 1, 0))) AS BIGINT) AS points
    FROM levels AS w INNER JOIN levels AS o USING (variant, players, game, tenth)
    WHERE w.won AND NOT o.won
    GROUP BY ALL
),
measures AS (
    SELECT variant, players, tenth, unit, 'runaway' AS measure, won AS total, alone AS games FROM led WHERE alone > 0
    UNION ALL
    SELECT variant, players, tenth, unit, 'alone', alone, games FROM led
    UNION ALL
    SELECT variant, players, tenth, unit, 'auc', points, pairs FROM pairs
)
SELECT
    variant, players, tenth, measure,
    count(*) AS units,
    uncommon(total / games) AS differing,
    unnest(sums_of_ratio(total, games))
FROM measures
GROUP BY variant, players, tenth, measure
ORDER BY variant, players, tenth, measure
