-- Question: how often does each seat win in each unit, in a variant and in its baseline, deal by deal?
-- Grain: one row per variant other than a baseline, player count, seat and unit that both variants played all of, in
--   games of two players and more.
-- Columns: games (seats held, the same in both); x = wins in the variant, y = in the baseline.
-- Totals count 2520ths of a win; a game that nobody won counts as shared by all its seats.
WITH units AS (
    SELECT
        variant, players, seat, unit,
        CAST(sum(games) AS BIGINT) AS games,
        CAST(sum(won) AS BIGINT) AS won
    FROM unit_seats
    WHERE players > 1
    GROUP BY variant, players, seat, unit
)
SELECT v.variant, v.players, seat, unit, games, v.won AS x, b.won AS y
FROM units AS v INNER JOIN units AS b USING (players, seat, unit, games)
WHERE v.variant <> b.variant AND b.variant = baseline_of(v.variant)
ORDER BY v.variant, v.players, seat, unit
