-- Question: how are the lengths of games spread?
-- Grain: one row per variant, player count and number of turns that some game took.
-- Columns: turns; games that took so many.
SELECT variant, players, turns, CAST(sum(games) AS BIGINT) AS games
FROM unit_lengths
GROUP BY variant, players, turns
ORDER BY variant, players, turns
