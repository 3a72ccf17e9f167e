-- Question: what does each variant change in length, ties, endings and margins, deal by deal?
-- Grain: one row per variant other than the baseline, player count and measure. Block b is the same deal
--   and the same line-up in every variant, so units are paired; a unit counts when both variants played all
--   of it.
-- Parameters: $baseline = the variant compared with; $bundle = blocks added up into one independent unit.
-- Columns: units (pairs); x and m = total and count in the variant, y and n = in the baseline; and sums of
--   squares and products over pairs (x_y is the sum of x times y).
-- differing = units whose difference x / m - y / n is not the commonest one.
WITH units AS (
    SELECT
        variant, players, block // $bundle AS bundle,
        count(*) AS games,
        count(*) FILTER (WHERE end_reason IN ('win', 'stuck')) AS won,
        CAST(sum(turns) AS BIGINT) AS turns,
        CAST(sum(rounds) AS BIGINT) AS rounds,
        CAST(sum(decisions) AS BIGINT) AS decisions,
        CAST(coalesce(sum(margin) FILTER (WHERE end_reason IN ('win', 'stuck')), 0) AS BIGINT) AS margin,
        count(*) FILTER (WHERE winners > 1) AS tied,
        count(*) FILTER (WHERE end_reason = 'stuck') AS stuck,
        count(*) FILTER (WHERE end_reason = 'deadlock') AS deadlock,
        count(*) FILTER (WHERE end_reason = 'turn_cap') AS turn_cap
    FROM games
    GROUP BY variant, players, bundle
),
measures AS (
    SELECT variant, players, bundle, games, measure, total, if(measure = 'margin', won, games) AS counted
    FROM units
    UNPIVOT (total FOR measure IN (turns, rounds, decisions, margin, tied, stuck, deadlock, turn_cap))
),
pairs AS (
    SELECT
        v.variant, v.players, v.measure,
        v.total AS x, v.counted AS m, b.total AS y, b.counted AS n
    FROM measures AS v INNER JOIN measures AS b USING (players, bundle, measure, games)
    WHERE v.variant <> $baseline AND b.variant = $baseline
)
SELECT
    variant, players, measure,
    count(*) AS units,
    count(*) - coalesce(list_max(map_values(histogram((x * n - y * m) / nullif(m * n, 0)))), 0) AS differing,
    sum(x) AS x, sum(m) AS m, sum(y) AS y, sum(n) AS n,
    sum(x * x) AS x_x, sum(x * m) AS x_m, sum(x * y) AS x_y, sum(x * n) AS x_n,
    sum(m * m) AS m_m, sum(m * y) AS m_y, sum(m * n) AS m_n,
    sum(y * y) AS y_y, sum(y * n) AS y_n, sum(n * n) AS n_n
FROM pairs
GROUP BY variant, players, measure
ORDER BY variant, players, measure
