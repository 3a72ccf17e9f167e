-- Question: what does each strategy do in a game, and what happens in each seat: score and the game's own counters?
-- Grain: one row per variant, player count, strategy (seat is NULL) and counter, one per variant, player count,
--   seat (strategy is NULL) and counter, and one per variant, player count and counter (both are NULL); counters are
--   all columns of seats beyond the common ones.
-- Columns: units; games = seats held; total of the counter; and sums of squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH units AS (
    SELECT
        variant, players, strategy, seat, unit_of(players, block) AS unit, count(*) AS games,
        sum(COLUMNS(
            * EXCLUDE (variant, players, game, block, rotation, seat, strategy, rank, win_share)
        )) AS "\0"
    FROM seats
    GROUP BY GROUPING SETS ((variant, players, strategy, unit), (variant, players, seat, unit))
),
every AS (
    FROM units
    UNION ALL
    SELECT
        variant, players, NULL AS strategy, NULL AS seat, unit, sum(games) AS games,
        sum(COLUMNS(* EXCLUDE (variant, players, strategy, seat, unit, games))) AS "\0"
    FROM units
    WHERE seat IS NOT NULL
    GROUP BY variant, players, unit
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
