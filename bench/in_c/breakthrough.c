/* Breakthrough: the pawns of each side are a set of 64 bits. A pawn is drawn first, then its step, as in the rules. */

#include <stdint.h>

#define WIDTH 8

typedef struct {
    uint64_t pawns[2];
    int mover, winner;
} Game;

#include "playouts.h"

static const uint64_t LEFT = 0x0101010101010101u, RIGHT = 0x8080808080808080u;
static const uint64_t HOME[2] = {0xFFu, (uint64_t)0xFF << 56};

static void start(Game *game)
{
    *game = (Game){{0xFFFFu, (uint64_t)0xFFFF << 48}, 0, NOBODY};
}

static int winner(const Game *game)
{
    return game->winner;
}

static uint64_t shifted(uint64_t set, int rows_up)
{
    return rows_up > 0 ? set << WIDTH : set >> WIDTH;
}

static uint64_t aside(uint64_t set)
{
    return (set & ~LEFT) >> 1 | (set & ~RIGHT) << 1;
}

/* The pawns of the mover that have a step. */
static uint64_t movable(const Game *game)
{
    uint64_t own = game->pawns[game->mover], taken = own | game->pawns[!game->mover];
    int back = game->mover ? 1 : -1;
    return own & (shifted(~taken, back) | aside(shifted(~own, back)));
}

/* Where one of them may step. */
static uint64_t targets(const Game *game, int from)
{
    uint64_t own = game->pawns[game->mover], taken = own | game->pawns[!game->mover];
    uint64_t ahead = shifted((uint64_t)1 << from, game->mover ? -1 : 1);
    return (ahead & ~taken) | (aside(ahead) & ~own);
}

static void step(Game *game, int from, int to)
{
    uint64_t arrived = (uint64_t)1 << to;
    game->pawns[game->mover] = (game->pawns[game->mover] & ~((uint64_t)1 << from)) | arrived;
    game->pawns[!game->mover] &= ~arrived;
    if (arrived & HOME[!game->mover] || !game->pawns[!game->mover])
        game->winner = FIRST + game->mover;
    game->mover ^= 1;
}

static void move_at_random(Game *game)
{
    int from = any_of(movable(game));
    step(game, from, any_of(targets(game, from)));
}

static void print_moves(const Game *game)
{
    for (uint64_t left = movable(game); left; left &= left - 1) {
        int from = __builtin_ctzll(left);
        for (uint64_t to = targets(game, from); to; to &= to - 1) {
            print_space(from);
            print_space(__builtin_ctzll(to));
            printf(" ");
        }
    }
}

static void take_written_move(Game *game, const char *move)
{
    step(game, space_named(move), space_named(move + 2));
}
