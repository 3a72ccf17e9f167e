-- Question: how did the recorded games of one case go, turn by turn?
-- Grain: one row per recorded game and turn, in their order.
-- Parameters: $variant, $players = the case; $games = of how many recorded games at most, the first ones.
-- Columns: game, unit; turn, of turns; seat = who began the turn; s1 ... s6 = standings after it; w1 ... w6 = what each
--   seat won in the end, in 2520ths (won_seats); NULL where there is no such seat.
WITH recorded AS (
    SELECT DISTINCT variant, players, game
    FROM arcs
    WHERE variant = $variant AND players = $players
    ORDER BY game
    LIMIT $games
),
wins AS (
    SELECT variant, players, game, list(won ORDER BY seat) AS won
    FROM won_seats() SEMI JOIN recorded USING (variant, players, game)
    WHERE variant = $variant AND players = $players
    GROUP BY ALL
)
SELECT
    game, arc_unit_of(players, a.block) AS unit, a.turn, turns, a.seat,
    standings[1] AS s1, standings[2] AS s2, standings[3] AS s3, standings[4] AS s4, standings[5] AS s5,
    standings[6] AS s6, won[1] AS w1, won[2] AS w2, won[3] AS w3, won[4] AS w4, won[5] AS w5, won[6] AS w6
FROM arcs AS a
    INNER JOIN wins USING (variant, players, game)
    INNER JOIN recorded_games USING (variant, players, game)
WHERE variant = $variant AND players = $players
ORDER BY game, a.turn
