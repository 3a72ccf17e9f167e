-- Question: how far apart are the best and the worst score of a game?
-- Grain: one row per variant and player count; only games that somebody won (end reasons win and stuck).
-- Columns: units; games (won ones); total of best less worst score; and sums of squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH units AS (
    SELECT variant, players, unit, won AS games, spread AS total FROM unit_games WHERE won > 0
)
SELECT
    variant, players,
    count(*) AS units,
    uncommon(total / games) AS differing,
    unnest(sums_of_ratio(total, games))
FROM units
GROUP BY variant, players
ORDER BY variant, players
