-- Question: how often does each seat win, and how would that change had the unfinished games gone another
--   way?
-- Grain: one row per variant, player count and seat.
-- Columns: units; games (seats held); won = wins; decided = games that somebody won; ordinary = wins
--   in games that ended as 'win'; unfinished = games that ended otherwise; and the sums of squares and products
--   over units that a ratio's variance needs (x_y is the sum of x times y).
-- won, decided and ordinary count 2520ths of a win, whole for ties of up to ten: sums of whole numbers are
--   exact.
WITH units AS (
    SELECT
        variant, players, seat, unit,
        CAST(sum(games) AS BIGINT) AS games,
        CAST(sum(own) AS BIGINT) AS won,
        CAST(sum(decided) AS BIGINT) AS decided,
        CAST(sum(ordinary) AS BIGINT) AS ordinary,
        CAST(sum(unfinished) AS BIGINT) AS unfinished
    FROM unit_seats
    GROUP BY variant, players, seat, unit
)
SELECT
    variant, players, seat,
    count(*) AS units,
    sum(games) AS games, sum(won) AS won, sum(decided) AS decided,
    sum(ordinary) AS ordinary, sum(unfinished) AS unfinished,
    sum(won * won) AS won_won, sum(won * decided) AS won_decided, sum(won * games) AS won_games,
    sum(decided * decided) AS decided_decided, sum(decided * games) AS decided_games,
    sum(games * games) AS games_games
FROM units
GROUP BY variant, players, seat
ORDER BY variant, players, seat
