-- Question: how does each variant change each seat's share of wins, deal by deal?
-- Grain: one row per variant other than a baseline, player count and seat. Block b is the same deal and
--   the same line-up in every variant, so units are paired; a unit counts when both variants played all of
--   it.
-- Columns: units (pairs); x and m = total and count in the variant, y and n = in the baseline; and sums of
--   squares and products over pairs (x_y is the sum of x times y).
-- Totals count 2520ths of a win, whole for ties of up to ten: sums of whole numbers are exact.
--   A game that nobody won counts as shared by all its seats, so that cutting games off moves no share; a lone
--   player has lost it.
-- differing = units whose difference x / m - y / n is not the commonest one.
WITH units AS (
    SELECT
        variant, players, seat, unit,
        CAST(sum(games) AS BIGINT) AS games,
        CAST(sum(won) AS BIGINT) AS won
    FROM unit_seats
    GROUP BY variant, players, seat, unit
),
pairs AS (
    SELECT v.variant, v.players, seat, v.won AS x, games AS m, b.won AS y, games AS n
    FROM units AS v INNER JOIN units AS b USING (players, seat, unit, games)
    WHERE v.variant <> b.variant AND b.variant = baseline_of(v.variant)
)
SELECT
    variant, players, seat,
    count(*) AS units,
    uncommon((x * n - y * m) / nullif(m * n, 0)) AS differing,
    unnest(sums_of_pairs(x, m, y, n))
FROM pairs
GROUP BY variant, players, seat
ORDER BY variant, players, seat
