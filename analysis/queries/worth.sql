-- Question: what does a strategy win that is kept from some actions, against the same strategy free to take them?
-- Grain: one row per variant, player count and restricted strategy, where both of them played.
-- Parameters: $strategies = the restricted ones, $bases = for each of them the one that is free.
-- Columns: units (that either of them played in); x and m = wins (2520ths) and seats of the restricted strategy, y and
--   n = of the free one; and sums of squares and products over units (x_y is the sum of x times y).
-- A game that nobody won counts as shared by all its seats.
-- differing = units whose difference x / m - y / n is not the commonest one.
WITH asked AS (
    SELECT unnest($strategies) AS strategy, unnest($bases) AS base
),
units AS (
    SELECT
        variant, players, strategy, unit,
        CAST(sum(games) AS BIGINT) AS games,
        CAST(sum(won) AS BIGINT) AS won
    FROM unit_seats
    GROUP BY variant, players, strategy, unit
),
sides AS (
    SELECT
        u.variant, u.players, a.strategy, u.unit,
        CAST(sum(if(u.strategy = a.strategy, u.won, 0)) AS BIGINT) AS x,
        CAST(sum(if(u.strategy = a.strategy, u.games, 0)) AS BIGINT) AS m,
        CAST(sum(if(u.strategy = a.base, u.won, 0)) AS BIGINT) AS y,
        CAST(sum(if(u.strategy = a.base, u.games, 0)) AS BIGINT) AS n
    FROM units AS u INNER JOIN asked AS a ON u.strategy = a.strategy OR u.strategy = a.base
    GROUP BY u.variant, u.players, a.strategy, u.unit
)
SELECT
    variant, players, strategy,
    count(*) AS units,
    uncommon((x * n - y * m) / nullif(m * n, 0)) AS differing,
    unnest(sums_of_pairs(x, m, y, n))
FROM sides
GROUP BY variant, players, strategy
HAVING sum(m) > 0 AND sum(n) > 0
ORDER BY variant, players, strategy
