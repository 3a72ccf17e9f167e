-- Question: by how much does the winner of a game stand better than the best other seat, as the game goes on?
-- Grain: one row per variant, player count and tenth of the game (1 to 10: after so many tenths of its turns); recorded
--   games of two players and more that one seat won alone.
-- Columns: units; games; p25, median, p75 of the winner's standing less the best other one (negative: behind).
WITH winners AS (
    SELECT variant, players, game, seat FROM recorded_seats WHERE players > 1 AND win_share = 1
),
ahead AS (
    SELECT
        t.variant, t.players, t.tenth, arc_unit_of(t.players, t.block) AS unit,
        standings[seat] - list_max(list_concat(standings[: seat - 1], standings[seat + 1 :])) AS lead
    FROM arc_tenths() AS t INNER JOIN winners AS w USING (variant, players, game)
)
SELECT
    variant, players, tenth,
    count(DISTINCT unit) AS units,
    count(*) AS games,
    quantile_disc(lead, 0.25) AS p25,
    quantile_disc(lead, 0.5) AS median,
    quantile_disc(lead, 0.75) AS p75
FROM ahead
GROUP BY variant, players, tenth
ORDER BY variant, players, tenth
