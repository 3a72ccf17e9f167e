-- Question: do those who use something win more often than those who do not?
-- Grain: one row per variant, player count and counter.
-- Parameters: $uses = the counters that count uses.
-- Columns: units; x and m = wins (2520ths) of and number of the seats whose counter is above zero, y and n = of the
--   others; and sums of squares and products over units (x_y is the sum of x times y).
-- differing = units whose difference x / m - y / n is not the commonest one.
WITH units AS (
    SELECT
        variant, players, unit_of(players, block) AS unit, count(*) AS seats,
        CAST(sum(round(win_share * 2520)) AS BIGINT) AS won,
        sum(CAST(COLUMNS(lambda c: list_contains($uses, c)) > 0 AS BIGINT)) AS "users:\0",
        sum(if(COLUMNS(lambda c: list_contains($uses, c)) > 0, round(win_share * 2520), 0)) AS "won:\0"
    FROM seats
    GROUP BY variant, players, unit
),
users AS (
    SELECT variant, players, unit, substr(counter, 7) AS counter, CAST(users AS BIGINT) AS m, seats, won
    FROM units
    UNPIVOT (users FOR counter IN (COLUMNS('^users:')))
),
wins AS (
    SELECT variant, players, unit, substr(counter, 5) AS counter, CAST(won_with AS BIGINT) AS x
    FROM units
    UNPIVOT (won_with FOR counter IN (COLUMNS('^won:')))
),
sides AS (
    SELECT variant, players, counter, x, m, won - x AS y, seats - m AS n
    FROM users INNER JOIN wins USING (variant, players, unit, counter)
)
SELECT
    variant, players, counter,
    count(*) AS units,
    uncommon((x * n - y * m) / nullif(m * n, 0)) AS differing,
    unnest(sums_of_pairs(x, m, y, n))
FROM sides
GROUP BY variant, players, counter
ORDER BY variant, players, counter
