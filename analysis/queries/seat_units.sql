-- Question: how often does each seat win in each unit, in a variant and in the baseline, deal by deal?
-- Grain: one row per player count, seat and unit that both variants played all of, in games of two players and more.
-- Parameters: $variant; $baseline = the variant compared with.
-- Columns: games (seats held, the same in both); x = wins in the variant, y = in the baseline.
-- Totals count 2520ths of a win; a game that nobody won counts as shared by all its seats.
WITH units AS (
    SELECT
        s.variant, s.players, s.seat, unit_of(s.players, s.block) AS unit,
        count(*) AS games,
        CAST(sum(s.won) AS BIGINT) AS won
    FROM won_seats() AS s
    WHERE s.players > 1 AND s.variant IN ($variant, $baseline)
    GROUP BY s.variant, s.players, s.seat, unit
)
SELECT v.players, seat, unit, games, v.won AS x, b.won AS y
FROM units AS v INNER JOIN units AS b USING (players, seat, unit, games)
WHERE v.variant = $variant AND b.variant = $baseline
ORDER BY v.players, seat, unit
