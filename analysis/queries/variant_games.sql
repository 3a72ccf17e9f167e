-- Question: what does each variant change in length, ties, endings, margins and spread, deal by deal?
-- Grain: one row per variant other than a baseline, player count and measure. Block b is the same deal
--   and the same line-up in every variant, so units are paired; a unit counts when both variants played all
--   of it.
-- Columns: units (pairs); x and m = total and count in the variant, y and n = in the baseline; and sums of
--   squares and products over pairs (x_y is the sum of x times y).
-- margin (winner's lead) and spread (best less worst score) count games that somebody won.
-- differing = units whose difference x / m - y / n is not the commonest one.
WITH spreads AS (
    SELECT variant, players, game, max(score) - min(score) AS spread FROM seats GROUP BY variant, players, game
),
units AS (
    SELECT
        variant, players, unit_of(players, block) AS unit,
        count(*) AS games,
        count(*) FILTER (WHERE end_reason IN ('win', 'stuck')) AS won,
        CAST(sum(turns) AS BIGINT) AS turns,
        CAST(sum(rounds) AS BIGINT) AS rounds,
        CAST(sum(decisions) AS BIGINT) AS decisions,
        CAST(coalesce(sum(margin) FILTER (WHERE end_reason IN ('win', 'stuck')), 0) AS BIGINT) AS margin,
        CAST(coalesce(sum(spread) FILTER (WHERE end_reason IN ('win', 'stuck')), 0) AS BIGINT) AS spread,
        count(*) FILTER (WHERE winners > 1) AS tied,
        count(*) FILTER (WHERE end_reason = 'stuck') AS stuck,
        count(*) FILTER (WHERE end_reason = 'deadlock') AS deadlock,
        count(*) FILTER (WHERE end_reason = 'turn_cap') AS turn_cap,
        count(*) FILTER (WHERE end_reason <> 'win') AS unfinished
    FROM games INNER JOIN spreads USING (variant, players, game)
    GROUP BY variant, players, unit
),
measures AS (
    SELECT
        variant, players, unit, games, measure, total,
        if(measure IN ('margin', 'spread'), won, games) AS counted
    FROM units
    UNPIVOT (
        total FOR measure IN (
            turns, rounds, decisions, margin, spread, tied, stuck, deadlock, turn_cap, unfinished
        )
    )
),
pairs AS (
    SELECT
        v.variant, v.players, v.measure,
        v.total AS x, v.counted AS m, b.total AS y, b.counted AS n
    FROM measures AS v INNER JOIN measures AS b USING (players, unit, measure, games)
    WHERE v.variant <> b.variant AND b.variant = baseline_of(v.variant)
)
SELECT
    variant, players, measure,
    count(*) AS units,
    uncommon((x * n - y * m) / nullif(m * n, 0)) AS differing,
    unnest(sums_of_pairs(x, m, y, n))
FROM pairs
GROUP BY variant, players, measure
ORDER BY variant, players, measure
