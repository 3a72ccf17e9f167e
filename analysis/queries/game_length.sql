-- Question: how long are games, in turns, rounds and decisions?
-- Grain: one row per variant, player count and measure (turns, rounds, decisions).
-- Columns: units; games; total of the measure; and sums of squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH measures AS (
    FROM unit_games UNPIVOT (total FOR measure IN (turns, rounds, decisions))
)
SELECT
    variant, players, measure,
    count(*) AS units,
    uncommon(total / games) AS differing,
    unnest(sums_of_ratio(total, games))
FROM measures
GROUP BY variant, players, measure
ORDER BY variant, players, measure
