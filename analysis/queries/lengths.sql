-- Question: how long did the games of one case last, and which of them somebody won?
-- Grain: one row per unit, number of turns and won.
-- Parameters: $variant, $players = the case.
-- Columns: unit; turns; won = whether they ended as a win (others were cut off or stuck); games.
SELECT unit_of(players, block) AS unit, turns, end_reason = 'win' AS won, count(*) AS games
FROM games
WHERE variant = $variant AND players = $players
GROUP BY unit, turns, won
ORDER BY unit, turns, won
