-- Question: which blocks are left when a strategy is left out: which have a line-up without it?
-- Grain: one row per variant, player count, strategy that plays there beside others, and block without it.
-- Parameters: $games = of how many games of each variant and player count blocks are looked at, the first ones.
-- Columns: without = the strategy; called = the name of such blocks together.
WITH lineups AS (
    SELECT variant, players, block, list(strategy) AS strategies
    FROM first_seats
    WHERE rotation = 0 AND game < $games
    GROUP BY variant, players, block
),
teams AS (
    SELECT variant, players, unnest(strategies) AS strategy
    FROM (
        SELECT variant, players, list_distinct(flatten(list(strategies))) AS strategies
        FROM lineups
        GROUP BY variant, players
    )
    WHERE len(strategies) > 1
)
SELECT
    variant, players, block, strategy AS without, variant || ' without ' || strategy AS called
FROM lineups INNER JOIN teams USING (variant, players)
WHERE NOT list_contains(strategies, strategy)
ORDER BY variant, players, without, block
