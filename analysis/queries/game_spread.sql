-- Question: how much do single games differ from one another?
-- Grain: one row per variant, player count and measure (turns, rounds, decisions, margin); margin counts games that
--   somebody won (end reasons win and stuck).
-- Columns: games; deviation = standard deviation between games.
WITH measures AS (
    SELECT
        variant, players, turns, rounds, decisions,
        CASE WHEN end_reason IN ('win', 'stuck') THEN margin END AS margin
    FROM games
)
SELECT
    variant, players, measure, count(*) AS games, coalesce(stddev_samp(total), 0) AS deviation
FROM (FROM measures UNPIVOT (total FOR measure IN (turns, rounds, decisions, margin)))
GROUP BY variant, players, measure
ORDER BY variant, players, measure
