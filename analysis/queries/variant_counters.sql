-- Question: what does each variant change in the score and in the game's own counters, deal by deal?
-- Grain: one row per variant other than a baseline, player count and counter. Block b is the same deal
--   and the same line-up in every variant, so units are paired; a unit counts when both variants played all
--   of it.
-- Columns: units (pairs); x and m = total and seats held in the variant, y and n = in the baseline; and sums
--   of squares and products over pairs (x_y is the sum of x times y).
-- differing = units whose difference x / m - y / n is not the commonest one.
WITH units AS (
    SELECT variant, players, unit, sum(games) AS games, sum(COLUMNS('^counter:(.*)$')) AS "\1"
    FROM unit_seats
    GROUP BY variant, players, unit
),
measures AS (
    SELECT
        variant, players, unit, counter, CAST(games AS BIGINT) AS games, CAST(total AS BIGINT) AS total
    FROM units
    UNPIVOT (total FOR counter IN (COLUMNS(* EXCLUDE (variant, players, unit, games))))
),
pairs AS (
    SELECT v.variant, v.players, counter, v.total AS x, games AS m, b.total AS y, games AS n
    FROM measures AS v INNER JOIN measures AS b USING (players, counter, unit, games)
    WHERE v.variant <> b.variant AND b.variant = baseline_of(v.variant)
)
SELECT
    variant, players, counter,
    count(*) AS units,
    uncommon((x * n - y * m) / nullif(m * n, 0)) AS differing,
    unnest(sums_of_pairs(x, m, y, n))
FROM pairs
GROUP BY variant, players, counter
ORDER BY variant, players, counter
