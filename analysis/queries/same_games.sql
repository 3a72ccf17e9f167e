-- Question: does a variant change anything at all, or is every game the baseline's, move for move?
-- Grain: one row per variant other than the baseline and player count; only games that both variants played.
-- Parameters: $baseline = the variant compared with.
-- Columns: games; alike = games with the same actions in both (equal digests).
SELECT v.variant, v.players, count(*) AS games, count(*) FILTER (WHERE v.digest = b.digest) AS alike
FROM games AS v INNER JOIN games AS b USING (players, game)
WHERE v.variant <> $baseline AND b.variant = $baseline
GROUP BY v.variant, v.players
ORDER BY v.variant, v.players
