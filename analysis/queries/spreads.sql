-- Question: how far apart are the best and the worst score of a game?
-- Grain: one row per variant and player count; only games that somebody won (end reasons win and stuck).
-- Columns: units; games (won ones); total of best less worst score; and sums of squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH spreads AS (
    SELECT variant, players, game, block, max(score) - min(score) AS spread
    FROM seats SEMI JOIN (FROM games WHERE end_reason IN ('win', 'stuck')) USING (variant, players, game)
    GROUP BY variant, players, game, block
),
units AS (
    SELECT
        variant, players, unit_of(players, block) AS unit, count(*) AS games, CAST(sum(spread) AS BIGINT) AS total
    FROM spreads
    GROUP BY variant, players, unit
)
SELECT
    variant, players,
    count(*) AS units,
    uncommon(total / games) AS differing,
    unnest(sums_of_ratio(total, games))
FROM units
GROUP BY variant, players
ORDER BY variant, players
