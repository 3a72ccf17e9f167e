-- Question: what does each variant change in length, ties, endings, margins and spread, deal by deal?
-- Grain: one row per variant other than a baseline, player count and measure. Block b is the same deal
--   and the same line-up in every variant, so units are paired; a unit counts when both variants played all
--   of it.
-- Columns: units (pairs); x and m = total and count in the variant, y and n = in the baseline; and sums of
--   squares and products over pairs (x_y is the sum of x times y).
-- margin (winner's lead) and spread (best less worst score) count games that somebody won.
-- differing = units whose difference x / m - y / n is not the commonest one.
WITH units AS (
    SELECT *, games - win AS unfinished FROM unit_games
),
measures AS (
    SELECT
        variant, players, unit, games, measure, total,
        if(measure IN ('margin', 'spread'), won, games) AS counted
    FROM units
    UNPIVOT (
        total FOR measure IN (
            turns, rounds, decisions, margin, spread, tied, stuck, deadlock, turn_cap, unfinished
        )
    )
),
pairs AS (
    SELECT
        v.variant, v.players, v.measure,
        v.total AS x, v.counted AS m, b.total AS y, b.counted AS n
    FROM measures AS v INNER JOIN measures AS b USING (players, unit, measure, games)
    WHERE v.variant <> b.variant AND b.variant = baseline_of(v.variant)
)
SELECT
    variant, players, measure,
    count(*) AS units,
    uncommon((x * n - y * m) / nullif(m * n, 0)) AS differing,
    unnest(sums_of_pairs(x, m, y, n))
FROM pairs
GROUP BY variant, players, measure
ORDER BY variant, players, measure
