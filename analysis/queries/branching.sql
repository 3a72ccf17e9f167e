-- Question: how much choice do players have, and when in a game?
-- Grain: one row per variant, player count, tenth of the game (1 to 10; 0: all of it) and measure (options, forced);
--   recorded games.
-- Columns: units; games = decisions; total = legal actions of these together, or how many had just one; and sums of
--   squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH turns AS (
    SELECT
        variant, players, arc_unit_of(players, a.block) AS unit, (10 * turn + turns - 1) // turns AS tenth,
        a.decisions, a.options, a.forced
    FROM arcs AS a INNER JOIN recorded_games USING (variant, players, game)
),
units AS (
    SELECT
        variant, players, coalesce(tenth, 0) AS tenth, unit,
        CAST(sum(decisions) AS BIGINT) AS games,
        CAST(sum(options) AS BIGINT) AS options, CAST(sum(forced) AS BIGINT) AS forced
    FROM turns
    GROUP BY GROUPING SETS ((variant, players, unit, tenth), (variant, players, unit))
),
measures AS (
    FROM units UNPIVOT (total FOR measure IN (options, forced))
)
SELECT
    variant, players, tenth, measure,
    count(*) AS units,
    uncommon(total / games) AS differing,
    unnest(sums_of_ratio(total, games))
FROM measures
GROUP BY variant, players, tenth, measure
ORDER BY variant, players, tenth, measure
