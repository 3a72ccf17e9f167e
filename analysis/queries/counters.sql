-- Question: what does each strategy do in a game, and what happens in each seat: score and the game's own counters?
-- Grain: one row per variant, player count, strategy (seat is NULL) and counter, one per variant, player count,
--   seat (strategy is NULL) and counter, and one per variant, player count and counter (both are NULL); counters are
--   the score and all columns of seats beyond the common ones.
-- Columns: units; games = seats held; total of the counter; and sums of squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH every AS (
    SELECT
        variant, players, strategy, seat, unit, sum(games) AS games, sum(COLUMNS('^counter:(.*)$')) AS "\1"
    FROM unit_seats
    GROUP BY GROUPING SETS (
        (variant, players, strategy, unit), (variant, players, seat, unit), (variant, players, unit)
    )
),
measures AS (
    SELECT
        variant, players, strategy, seat, unit, counter,
        CAST(games AS BIGINT) AS games, CAST(total AS BIGINT) AS total
    FROM every
    UNPIVOT (total FOR counter IN (COLUMNS(* EXCLUDE (variant, players, strategy, seat, unit, games))))
)
SELECT
    variant, players, strategy, seat, counter,
    count(*) AS units,
    uncommon(total / games) AS differing,
    unnest(sums_of_ratio(total, games))
FROM measures
GROUP BY variant, players, strategy, seat, counter
ORDER BY variant, players, strategy, seat, counter
