-- What seats held and won, added up over units once for all queries that go by seat or by strategy.
-- Grain: one row per variant, player count, seat, strategy and unit.
-- Columns: games = seats held; won = wins, a game that nobody won shared by all its seats (a lone player has lost it);
--   own = wins alone; decided = seats held in games that somebody won; ordinary = own wins in games that ended as 'win';
--   unfinished = games that ended otherwise. won, own, decided and ordinary count 2520ths of a win, whole for ties of
--   up to ten: sums of whole numbers are exact.
CREATE TABLE seat_sums AS
WITH unfinished_games AS (
    SELECT
        variant, players, game, winners,
        if(winners > 0, NULL, if(players = 1, 0, 2520 // players)) AS even
    FROM games
    WHERE end_reason <> 'win'
),
results AS (
    SELECT
        s.variant, s.players, s.seat, s.strategy, unit_of(s.players, s.block) AS unit,
        CAST(round(s.win_share * 2520) AS BIGINT) AS own, u.even, u.winners
    FROM seats AS s LEFT JOIN unfinished_games AS u USING (variant, players, game)
)
SELECT
    variant, players, seat, strategy, unit,
    count(*) AS games,
    CAST(sum(coalesce(even, own)) AS BIGINT) AS won,
    CAST(sum(own) AS BIGINT) AS own,
    CAST(2520 * count(*) FILTER (WHERE coalesce(winners, 1) > 0) AS BIGINT) AS decided,
    CAST(coalesce(sum(own) FILTER (WHERE winners IS NULL), 0) AS BIGINT) AS ordinary,
    count(*) FILTER (WHERE winners IS NOT NULL) AS unfinished
FROM results
GROUP BY ALL
