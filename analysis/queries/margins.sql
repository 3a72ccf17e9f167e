-- Question: by how much is a game won?
-- Grain: one row per variant and player count; only games that somebody won (end reasons win and stuck).
-- Columns: units; games (won ones); total of the winner's lead over the best other score (0 when shared);
--   close = games decided by at most 1; and sums of squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH units AS (
    SELECT variant, players, unit, won AS games, margin AS total, close FROM unit_games WHERE won > 0
)
SELECT
    variant, players,
    count(*) AS units,
    uncommon(total / games) AS differing,
    sum(close) AS close,
    unnest(sums_of_ratio(total, games))
FROM units
GROUP BY variant, players
ORDER BY variant, players
