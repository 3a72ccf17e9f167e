-- Question: do those who use something win more often than those who do not?
-- Grain: one row per variant, player count and counter.
-- Columns: units; x and m = wins (2520ths) of and number of the seats whose counter is above zero, y and n = of the
--   others; and sums of squares and products over units (x_y is the sum of x times y).
-- differing = units whose difference x / m - y / n is not the commonest one.
SELECT
    variant, players, counter,
    count(*) AS units,
    uncommon((x * n - y * m) / nullif(m * n, 0)) AS differing,
    unnest(sums_of_pairs(x, m, y, n))
FROM unit_uses
GROUP BY variant, players, counter
ORDER BY variant, players, counter
