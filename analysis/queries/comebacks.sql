-- Question: how often does a seat that is behind at half-time win, by how far it is behind?
-- Grain: one row per variant, player count and band of deficits; recorded games of two players and more. A band is
--   one deficit where there are up to eight of them, and else about an eighth of all such seats; the same in every case.
-- Columns: deficit, upto = the band, from and to so much behind the best standing, both ends included; units; games =
--   seats so far behind; total = what they won, in 2520ths (won_seats); and sums of squares and products over units.
-- differing = units whose total / games is not the commonest one.
WITH behind AS (
    SELECT
        variant, players, t.block, seat, won, list_max(standings) - standings[seat] AS behind
    FROM arc_tenths() AS t INNER JOIN won_seats() USING (variant, players, game)
    WHERE tenth = 5 AND players > 1 AND behind > 0
),
starts AS (
    SELECT
        if(
            count(DISTINCT behind) <= 8,
            list(DISTINCT behind),
            list_distinct(list_prepend(1, quantile_disc(behind, [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875])))
        ) AS starts,
        max(behind) AS most
    FROM behind
),
banded AS (
    SELECT
        behind.*, list_max(list_filter(starts, lambda start: start <= behind)) AS deficit,
        coalesce(list_min(list_filter(starts, lambda start: start > behind)) - 1, most) AS upto
    FROM behind CROSS JOIN starts
),
units AS (
    SELECT
        variant, players, deficit, upto, arc_unit_of(players, block) AS unit,
        count(*) AS games, CAST(sum(won) AS BIGINT) AS total
    FROM banded
    GROUP BY variant, players, deficit, upto, unit
)
SELECT
    variant, players, deficit, upto,
    count(*) AS units,
    uncommon(total / games) AS differing,
    unnest(sums_of_ratio(total, games))
FROM units
GROUP BY variant, players, deficit, upto
ORDER BY variant, players, deficit
