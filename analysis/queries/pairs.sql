-- Question: how often does each strategy rank above each other one, in the games in which both sat at the table?
-- Grain: one row per variant, player count, unit and pair of strategies (`strategy` before `other` in the alphabet).
-- Parameters: $games = how many games of each variant and player count are looked at, the first ones.
-- Columns: meetings = pairs of their seats in a game (a strategy that holds several seats meets the other once for
--   each); points = 2 for every meeting that `strategy` ranks higher in, 1 where both rank alike: whole numbers.
SELECT
    one.variant, one.players, unit_of(one.players, one.block) AS unit, one.strategy, two.strategy AS other,
    count(*) AS meetings,
    CAST(sum(CASE WHEN one.rank < two.rank THEN 2 WHEN one.rank = two.rank THEN 1 ELSE 0 END) AS BIGINT) AS points
FROM seats AS one INNER JOIN seats AS two USING (variant, players, game)
WHERE one.strategy < two.strategy AND one.game < $games AND two.game < $games
GROUP BY one.variant, one.players, unit, one.strategy, two.strategy
ORDER BY one.variant, one.players, unit, one.strategy, two.strategy
