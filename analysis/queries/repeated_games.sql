-- Question: how many games were played, how many of them are really different games, and do blocks with the
--   same line-up ever go differently?
-- Grain: one row per variant and player count.
-- Columns: games, blocks; undecided = games that nobody won; looked_at, looked_blocks = how many games and blocks were
--   searched for repeats, the first ones (first_games). Of these: distinct_games, distinct_blocks = different action
--   sequences (by digest); effective_games, effective_blocks = (sum of repeats)^2 / sum of repeats^2, near games or
--   blocks when hardly any repeats another (Kish 1965); most_repeated = games that share the commonest digest;
--   open_lineups = line-ups (who sits where in a block's first game) that went in more than one way. Blocks that repeat
--   one another by chance leave some line-ups open; where none is, nothing but the line-up decides how a game goes.
WITH played AS (
    SELECT
        variant, players,
        CAST(sum(games) AS BIGINT) AS games, CAST(sum(blocks) AS BIGINT) AS blocks,
        CAST(sum(games - decided) AS BIGINT) AS undecided
    FROM unit_games
    GROUP BY variant, players
),
by_digest AS (
    SELECT variant, players, digest, count(*) AS repeats
    FROM first_games
    GROUP BY variant, players, digest
),
lineups AS (
    SELECT variant, players, block, sum(CAST(hash(seat, strategy) AS HUGEINT)) AS lineup
    FROM first_seats
    WHERE rotation = 0
    GROUP BY variant, players, block
),
by_block AS (
    SELECT variant, players, block, sum(CAST(digest AS HUGEINT)) AS played
    FROM first_games
    GROUP BY variant, players, block
),
by_played AS (
    SELECT variant, players, played, count(*) AS repeats
    FROM by_block
    GROUP BY variant, players, played
),
by_lineup AS (
    SELECT variant, players, lineup, min(played) < max(played) AS open
    FROM by_block INNER JOIN lineups USING (variant, players, block)
    GROUP BY variant, players, lineup
),
of_games AS (
    SELECT
        variant, players,
        CAST(sum(repeats) AS BIGINT) AS looked_at,
        count(*) AS distinct_games,
        CAST(sum(repeats) AS DOUBLE) * CAST(sum(repeats) AS DOUBLE) / CAST(sum(repeats * repeats) AS DOUBLE)
            AS effective_games,
        max(repeats) AS most_repeated
    FROM by_digest
    GROUP BY variant, players
),
of_blocks AS (
    SELECT
        variant, players,
        CAST(sum(repeats) AS BIGINT) AS looked_blocks, count(*) AS distinct_blocks,
        CAST(sum(repeats) AS DOUBLE) * CAST(sum(repeats) AS DOUBLE) / CAST(sum(repeats * repeats) AS DOUBLE)
            AS effective_blocks
    FROM by_played
    GROUP BY variant, players
),
of_lineups AS (
    SELECT variant, players, count(*) FILTER (WHERE open) AS open_lineups
    FROM by_lineup
    GROUP BY variant, players
)
SELECT
    variant, players, games, blocks, undecided, looked_at, looked_blocks, distinct_games, distinct_blocks,
    effective_games, effective_blocks, most_repeated, open_lineups
FROM played
    INNER JOIN of_games USING (variant, players)
    INNER JOIN of_blocks USING (variant, players)
    INNER JOIN of_lineups USING (variant, players)
ORDER BY variant, players
