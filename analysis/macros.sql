-- What the queries say again and again, over rows that are units: sums of independent blocks.

-- Units whose value is not the commonest one.
CREATE MACRO uncommon(value) AS count(*) - coalesce(list_max(map_values(histogram(value))), 0);

-- What the variance of total / games needs (x_y is the sum of x times y).
CREATE MACRO sums_of_ratio(total, games) AS {
    games: sum(games), total: sum(total),
    total_total: sum(total * total), total_games: sum(total * games), games_games: sum(games * games)
};

-- What the variance of x / m - y / n needs, x and m of one side of a pair, y and n of the other.
CREATE MACRO sums_of_pairs(x, m, y, n) AS {
    x: sum(x), m: sum(m), y: sum(y), n: sum(n),
    x_x: sum(x * x), x_m: sum(x * m), x_y: sum(x * y), x_n: sum(x * n),
    m_m: sum(m * m), m_y: sum(m * y), m_n: sum(m * n),
    y_y: sum(y * y), y_n: sum(y * n), n_n: sum(n * n)
};

-- Every seat of recorded games, and of some others, with what it won, in 2520ths: a game that nobody won counts as
-- shared by all its seats, so that cutting games off moves no share; a lone player has lost it.
CREATE MACRO won_seats() AS TABLE
    SELECT
        s.variant, s.players, s.game, s.block, s.seat, s.strategy,
        coalesce(n.even, CAST(round(s.win_share * 2520) AS BIGINT)) AS won
    FROM recorded_seats AS s LEFT JOIN (
        SELECT variant, players, game, if(players = 1, 0, 2520 // players) AS even FROM recorded_games WHERE winners = 0
    ) AS n USING (variant, players, game);

-- Who leads alone by these standings, as a seat; NULL when several do, and for a lone player.
CREATE MACRO leader_of(standings) AS
    if(
        list_reverse_sort(standings)[1] > list_reverse_sort(standings)[2],
        list_position(standings, list_max(standings)),
        NULL
    );

-- How often the lead changed hands in each recorded game of two players and more: turns after which a seat leads alone
-- that was not the last one to do so.
CREATE MACRO changes_of_lead() AS TABLE
    SELECT variant, players, game, any_value(block) AS block, count(*) FILTER (WHERE changed) AS changes
    FROM (
        SELECT
            variant, players, game, block,
            leader <> lag(leader IGNORE NULLS) OVER (PARTITION BY variant, players, game ORDER BY turn) AS changed
        FROM (SELECT variant, players, game, block, turn, leader_of(standings) AS leader FROM arcs WHERE players > 1)
    )
    GROUP BY variant, players, game;

-- The recorded games after each tenth of their turns: the last turn noted up to there.
CREATE MACRO arc_tenths() AS TABLE
    SELECT t.variant, t.players, t.game, t.block, t.tenth, a.standings
    FROM (
        SELECT variant, players, game, block, tenth, CAST((tenth * turns + 9) // 10 AS INTEGER) AS turn
        FROM recorded_games SEMI JOIN arcs USING (variant, players, game), range(1, 11) AS tenths(tenth)
    ) AS t
    ASOF JOIN arcs AS a
        ON t.variant = a.variant AND t.players = a.players AND t.game = a.game AND t.turn >= a.turn;
