-- Question: how often does the lead change hands in a game?
-- Grain: one row per variant and player count; recorded games of two players and more.
-- Columns: units; games; total = changes of the lead (changes_of_lead); and sums of squares and products over units.
-- differing = units whose mean total / games is not the commonest one.
WITH units AS (
    SELECT
        variant, players, arc_unit_of(players, block) AS unit,
        count(*) AS games,
        CAST(sum(changes) AS BIGINT) AS total
    FROM changes_of_lead()
    GROUP BY variant, players, unit
)
SELECT
    variant, players,
    count(*) AS units,
    uncommon(total / games) AS differing,
    unnest(sums_of_ratio(total, games))
FROM units
GROUP BY variant, players
ORDER BY variant, players
