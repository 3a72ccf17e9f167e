-- Question: in which share of the games that somebody won was it won so?
-- Grain: one row per variant, player count and counter.
-- Parameters: $kinds = the counters that are 1 for a winner who won in that way.
-- Columns: units; games = games that somebody won; total of the counter; and sums of squares and products over
--   units.
-- differing = units whose total / games is not the commonest one.
WITH won AS (
    SELECT variant, players, unit_of(players, block) AS unit, count(*) FILTER (WHERE winners > 0) AS games
    FROM games
    GROUP BY variant, players, unit
),
units AS (
    SELECT
        variant, players, unit_of(players, block) AS unit,
        sum(COLUMNS(lambda c: list_contains($kinds, c))) AS "\0"
    FROM seats
    GROUP BY variant, players, unit
),
measures AS (
    SELECT variant, players, unit, counter, CAST(total AS BIGINT) AS total, games
    FROM (UNPIVOT units ON COLUMNS(* EXCLUDE (variant, players, unit)) INTO NAME counter VALUE total)
        INNER JOIN won USING (variant, players, unit)
)
SELECT
    variant, players, counter,
    count(*) AS units,
    uncommon(total / nullif(games, 0)) AS differing,
    unnest(sums_of_ratio(total, games))
FROM measures
GROUP BY variant, players, counter
ORDER BY variant, players, counter
