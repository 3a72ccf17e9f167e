-- Question: how do games end, and how many are tied?
-- Grain: one row per variant, player count and measure: win, stuck, deadlock, turn_cap (the end reasons)
--   and tied (a win shared by several, however the game ended).
-- Columns: units; games; total = games that ended so; and sums of squares and products over units.
WITH units AS (
    SELECT
        variant, players, unit_of(players, block) AS unit,
        count(*) AS games,
        count(*) FILTER (WHERE end_reason = 'win') AS win,
        count(*) FILTER (WHERE end_reason = 'stuck') AS stuck,
        count(*) FILTER (WHERE end_reason = 'deadlock') AS deadlock,
        count(*) FILTER (WHERE end_reason = 'turn_cap') AS turn_cap,
        count(*) FILTER (WHERE winners > 1) AS tied
    FROM games
    GROUP BY variant, players, unit
),
measures AS (
    FROM units UNPIVOT (total FOR measure IN (win, stuck, deadlock, turn_cap, tied))
)
SELECT
    variant, players, measure,
    count(*) AS units,
    unnest(sums_of_ratio(total, games))
FROM measures
GROUP BY variant, players, measure
ORDER BY variant, players, measure
