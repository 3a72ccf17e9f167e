-- Question: how long did the games of one case last, and which of them somebody won?
-- Grain: one row per unit, number of turns and won.
-- Parameters: $variant, $players = the case.
-- Columns: unit; turns; won = whether they ended as a win (others were cut off or stuck); games.
SELECT unit, turns, won > 0 AS won, games
FROM unit_lengths
WHERE variant = $variant AND players = $players
ORDER BY unit, turns, won
