-- Question: how many games were played, and how many of them are really different games?
-- Grain: one row per variant and player count.
-- Columns: games, blocks; distinct_games, distinct_blocks = different action sequences (by digest) among
--   them; effective_games, effective_blocks = (sum of repeats)^2 / sum of repeats^2, the size of a sample
--   without repeats that would tell as much (Kish 1965); most_repeated = games that share the commonest
--   digest.
WITH by_digest AS (
    SELECT variant, players, digest, count(*) AS repeats
    FROM games
    GROUP BY variant, players, digest
),
by_block AS (
    SELECT variant, players, block, sum(CAST(digest AS HUGEINT)) AS played
    FROM games
    GROUP BY variant, players, block
),
by_played AS (
    SELECT variant, players, played, count(*) AS repeats
    FROM by_block
    GROUP BY variant, players, played
),
of_games AS (
    SELECT
        variant, players,
        CAST(sum(repeats) AS BIGINT) AS games, count(*) AS distinct_games,
        CAST(sum(repeats) AS DOUBLE) * CAST(sum(repeats) AS DOUBLE) / CAST(sum(repeats * repeats) AS DOUBLE)
            AS effective_games,
        max(repeats) AS most_repeated
    FROM by_digest
    GROUP BY variant, players
),
of_blocks AS (
    SELECT
        variant, players,
        CAST(sum(repeats) AS BIGINT) AS blocks, count(*) AS distinct_blocks,
        CAST(sum(repeats) AS DOUBLE) * CAST(sum(repeats) AS DOUBLE) / CAST(sum(repeats * repeats) AS DOUBLE)
            AS effective_blocks
    FROM by_played
    GROUP BY variant, players
)
SELECT
    variant, players, games, blocks, distinct_games, distinct_blocks, effective_games, effective_blocks,
    most_repeated
FROM of_games INNER JOIN of_blocks USING (variant, players)
ORDER BY variant, players
