-- Question: what happens in each seat: its score and the game's own counters?
-- Grain: one row per variant, player count, seat and counter (every column of seats beyond the common
--   ones).
-- Columns: units; games = seats held; total of the counter; and sums of squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH units AS (
    SELECT
        variant, players, seat, unit_of(players, block) AS unit, count(*) AS games,
        sum(COLUMNS(
            * EXCLUDE (variant, players, game, block, rotation, seat, strategy, rank, win_share)
        )) AS "\0"
    FROM seats
    GROUP BY variant, players, seat, unit
),
measures AS (
    SELECT
        variant, players, seat, unit, counter,
        CAST(games AS BIGINT) AS games, CAST(total AS BIGINT) AS total
    FROM units
    UNPIVOT (total FOR counter IN (COLUMNS(* EXCLUDE (variant, players, seat, unit, games))))
)
SELECT
    variant, players, seat, counter,
    count(*) AS units,
    count(*) - coalesce(list_max(map_values(histogram(total / games))), 0) AS differing,
    sum(games) AS games, sum(total) AS total,
    sum(total * total) AS total_total, sum(total * games) AS total_games, sum(games * games) AS games_games
FROM measures
GROUP BY variant, players, seat, counter
ORDER BY variant, players, seat, counter
