-- Question: does a variant change anything at all, or is every game the baseline's, move for move?
-- Grain: one row per variant other than a baseline and player count; only games that both variants played,
--   among the first ones of each (first_games).
-- Columns: games; alike = games with the same actions in both (equal digests).
SELECT v.variant, v.players, count(*) AS games, count(*) FILTER (WHERE v.digest = b.digest) AS alike
FROM first_games AS v INNER JOIN first_games AS b USING (players, game)
WHERE v.variant <> b.variant AND b.variant = baseline_of(v.variant)
GROUP BY v.variant, v.players
ORDER BY v.variant, v.players
