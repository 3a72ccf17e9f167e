-- Question: how often does each strategy win the games it plays, against the field it met?
-- Grain: one row per variant, player count and strategy.
-- Columns: units (that the strategy played in); games = seats held (a strategy may hold several seats of a
--   game); won = wins; decided = seats held in games that somebody won; ordinary = wins in games
--   that ended as 'win'; unfinished = other games it took part in, each once; and sums of squares and
--   products over units.
-- won, decided and ordinary count 2520ths of a win, whole for ties of up to ten: sums of whole numbers are
--   exact.
WITH units AS (
    SELECT
        variant, players, strategy, unit,
        CAST(sum(games) AS BIGINT) AS games,
        CAST(sum(own) AS BIGINT) AS won,
        CAST(sum(decided) AS BIGINT) AS decided,
        CAST(sum(ordinary) AS BIGINT) AS ordinary,
        CAST(sum(parted) AS BIGINT) AS unfinished
    FROM unit_seats
    GROUP BY variant, players, strategy, unit
)
SELECT
    variant, players, strategy,
    count(*) AS units,
    sum(games) AS games, sum(won) AS won, sum(decided) AS decided,
    sum(ordinary) AS ordinary, sum(unfinished) AS unfinished,
    sum(won * won) AS won_won, sum(won * decided) AS won_decided, sum(won * games) AS won_games,
    sum(decided * decided) AS decided_decided, sum(decided * games) AS decided_games,
    sum(games * games) AS games_games
FROM units
GROUP BY variant, players, strategy
ORDER BY variant, players, strategy
