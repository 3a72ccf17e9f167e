-- Question: in which share of the games that somebody won was it won so?
-- Grain: one row per variant, player count and counter.
-- Parameters: $kinds = the counters that are 1 for a winner who won in that way.
-- Columns: units; games = games that somebody won; total of the counter; and sums of squares and products over
--   units.
-- differing = units whose total / games is not the commonest one.
WITH units AS (
    SELECT variant, players, unit, sum(COLUMNS('^counter:(.*)$')) AS "\1"
    FROM unit_seats
    GROUP BY variant, players, unit
),
measures AS (
    SELECT variant, players, unit, counter, CAST(total AS BIGINT) AS total, decided AS games
    FROM (UNPIVOT units ON COLUMNS(* EXCLUDE (variant, players, unit)) INTO NAME counter VALUE total)
        INNER JOIN unit_games USING (variant, players, unit)
    WHERE list_contains($kinds, counter)
)
SELECT
    variant, players, counter,
    count(*) AS units,
    uncommon(total / nullif(games, 0)) AS differing,
    unnest(sums_of_ratio(total, games))
FROM measures
GROUP BY variant, players, counter
ORDER BY variant, players, counter
