-- Question: how often does the lead change hands in a game?
-- Grain: one row per variant and player count; recorded games of two players and more.
-- Columns: units; games; total = changes of the lead: turns after which a seat leads alone that was not the last one to
--   do so; and sums of squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH led AS (
    SELECT variant, players, game, block, turn, leader_of(standings) AS leader FROM arcs WHERE players > 1
),
leads AS (
    SELECT
        variant, players, game,
        leader <> lag(leader) OVER (PARTITION BY variant, players, game ORDER BY turn) AS changed
    FROM led
    WHERE leader IS NOT NULL
),
changes AS (
    SELECT variant, players, game, count(*) FILTER (WHERE changed) AS changes FROM leads GROUP BY ALL
),
recorded AS (SELECT DISTINCT variant, players, game, block FROM led),
units AS (
    SELECT
        variant, players, arc_unit_of(players, block) AS unit,
        count(*) AS games,
        CAST(coalesce(sum(changes), 0) AS BIGINT) AS total
    FROM recorded LEFT JOIN changes USING (variant, players, game)
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
