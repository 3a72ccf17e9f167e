-- Question: what does each variant change in the course of recorded games, deal by deal?
-- Grain: one row per variant other than a baseline, player count and measure; recorded games of two players and more.
--   Block b is the same deal and the same line-up in every variant, so units are paired; a unit counts when both
--   variants recorded all of it.
-- Columns: units (pairs); x and m = total and count in the variant, y and n = in the baseline, by measure:
--   lead_changes: changes of the lead (changes_of_lead), and games
--   runaway: what the seat that leads alone at half-time won, in 2520ths (won_seats), and games in which one does
--   and sums of squares and products over pairs (x_y is the sum of x times y).
-- differing = units whose difference x / m - y / n is not the commonest one.
WITH leads AS (
    SELECT variant, players, block, game, leader_of(standings) AS seat
    FROM arc_tenths()
    WHERE players > 1 AND tenth = 5
),
units AS (
    SELECT
        variant, players, 'lead_changes' AS measure, arc_unit_of(players, block) AS unit,
        count(*) AS games, CAST(sum(changes) AS BIGINT) AS total, count(*) AS counted
    FROM changes_of_lead()
    GROUP BY ALL
    UNION ALL
    SELECT
        l.variant, l.players, 'runaway', arc_unit_of(l.players, l.block) AS unit,
        count(*), CAST(coalesce(sum(w.won), 0) AS BIGINT), count(l.seat)
    FROM leads AS l LEFT JOIN won_seats() AS w USING (variant, players, game, seat)
    GROUP BY ALL
),
pairs AS (
    SELECT v.variant, v.players, measure, v.total AS x, v.counted AS m, b.total AS y, b.counted AS n
    FROM units AS v INNER JOIN units AS b USING (players, measure, unit, games)
    WHERE v.variant <> b.variant AND b.variant = baseline_of(v.variant)
)
SELECT
    variant, players, measure,
    count(*) AS units,
    uncommon((x * n - y * m) / nullif(m * n, 0)) AS differing,
    unnest(sums_of_pairs(x, m, y, n))
FROM pairs
GROUP BY variant, players, measure
HAVING sum(m) > 0 AND sum(n) > 0
ORDER BY variant, players, measure
