-- Question: how much do single games differ from one another?
-- Grain: one row per variant, player count and measure (turns, rounds, decisions, margin); margin counts games that
--   somebody won (end reasons win and stuck).
-- Columns: games; deviation = standard deviation between games.
WITH sums AS (
    SELECT
        variant, players,
        sum(games) AS games, sum(won) AS won,
        sum(turns) AS turns, sum(turns_turns) AS turns_turns,
        sum(rounds) AS rounds, sum(rounds_rounds) AS rounds_rounds,
        sum(decisions) AS decisions, sum(decisions_decisions) AS decisions_decisions,
        sum(margin) AS margin, sum(margin_margin) AS margin_margin
    FROM unit_games
    GROUP BY variant, players
),
measures AS (
    SELECT variant, players, 'turns' AS measure, games, turns AS total, turns_turns AS squares FROM sums
    UNION ALL
    SELECT variant, players, 'rounds', games, rounds, rounds_rounds FROM sums
    UNION ALL
    SELECT variant, players, 'decisions', games, decisions, decisions_decisions FROM sums
    UNION ALL
    SELECT variant, players, 'margin', won, margin, margin_margin FROM sums WHERE won > 0
)
SELECT
    variant, players, measure, CAST(games AS BIGINT) AS games,
    coalesce(sqrt((squares * games - total * total) / (games * nullif(games - 1, 0))), 0) AS deviation
FROM measures
ORDER BY variant, players, measure
