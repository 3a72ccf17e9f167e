-- Question: how do games end, and how many are tied?
-- Grain: one row per variant, player count and measure: win, stuck, deadlock, turn_cap (the end reasons)
--   and tied (a win shared by several, however the game ended).
-- Columns: units; games; total = games that ended so; and sums of squares and products over units.
WITH measures AS (
    FROM unit_games UNPIVOT (total FOR measure IN (win, stuck, deadlock, turn_cap, tied))
)
SELECT
    variant, players, measure,
    count(*) AS units,
    unnest(sums_of_ratio(total, games))
FROM measures
GROUP BY variant, players, measure
ORDER BY variant, players, measure
