-- Question: where on the board does it happen: which places are covered by what a counter names?
-- Grain: one row per variant, player count and place that was ever covered.
-- Parameters: $variants, $counts, $codes, $places = parallel lists: in that variant with so many players, that value of
--   the counter covers that place.
-- Columns: units; games = how often the counter named something; total = how often that covered the place; and
--   sums of squares and products over units.
-- differing = units whose total / games is not the commonest one.
WITH covers AS (
    SELECT
        unnest($variants) AS variant, unnest($counts) AS players, unnest($codes) AS code, unnest($places) AS place
),
units AS (
    SELECT variant, players, unit, CAST(sum(games) AS BIGINT) AS games FROM unit_values GROUP BY variant, players, unit
),
cells AS (
    SELECT
        variant, players, count(*) AS units, sum(games) AS games, sum(games * games) AS games_games
    FROM units
    GROUP BY variant, players
),
covered AS (
    SELECT v.variant, v.players, v.unit, c.place, CAST(sum(v.games) AS BIGINT) AS total
    FROM unit_values AS v INNER JOIN covers AS c
        ON v.variant = c.variant AND v.players = c.players AND v.value = c.code
    GROUP BY v.variant, v.players, v.unit, c.place
),
places AS (
    SELECT
        variant, players, place,
        count(*) AS touched, list_max(map_values(histogram(total / games))) AS commonest,
        sum(total) AS total, sum(total * total) AS total_total, sum(total * games) AS total_games
    FROM covered INNER JOIN units USING (variant, players, unit)
    GROUP BY variant, players, place
)
SELECT
    variant, players, place, units,
    units - greatest(commonest, units - touched) AS differing,
    games, total, total_total, total_games, games_games
FROM places INNER JOIN cells USING (variant, players)
ORDER BY variant, players, place
