/* Connect Four: the discs of each side are a set of bits, seven columns wide with an empty one beside them. */

#include <stdint.h>

#define WIDTH 7
#define HEIGHT 6
#define SPAN (WIDTH + 1) /* From a space to the one above it: what leaves the board sideways meets the empty column. */

typedef struct {
    uint64_t discs[2];
    int mover, winner;
} Game;

#include "playouts.h"

static const uint64_t BOTTOM = (1u << WIDTH) - 1;

static void start(Game *game)
{
    *game = (Game){{0, 0}, 0, NOBODY};
}

static int winner(const Game *game)
{
    return game->winner;
}

/* The lowest empty space of each column that has one. */
static uint64_t open_spaces(const Game *game)
{
    uint64_t taken = game->discs[0] | game->discs[1];
    uint64_t board = 0;
    for (int row = 0; row < HEIGHT; row++)
        board |= BOTTOM << row * SPAN;
    return (taken << SPAN | BOTTOM) & ~taken & board;
}

static int has_four(uint64_t discs)
{
    static const int STEPS[4] = {1, SPAN, SPAN + 1, SPAN - 1};
    for (int way = 0; way < 4; way++) {
        uint64_t pairs = discs & discs >> STEPS[way];
        if (pairs & pairs >> 2 * STEPS[way])
            return 1;
    }
    return 0;
}

static void drop(Game *game, int place)
{
    game->discs[game->mover] |= (uint64_t)1 << place;
    if (has_four(game->discs[game->mover]))
        game->winner = FIRST + game->mover;
    else if (!open_spaces(game))
        game->winner = DRAWN;
    game->mover ^= 1;
}

static void move_at_random(Game *game)
{
    drop(game, any_of(open_spaces(game)));
}

static void print_moves(const Game *game)
{
    for (uint64_t left = open_spaces(game); left; left &= left - 1) {
        int place = __builtin_ctzll(left);
        print_space(place / SPAN * WIDTH + place % SPAN);
        printf(" ");
    }
}

static void take_written_move(Game *game, const char *move)
{
    int space = space_named(move);
    drop(game, space / WIDTH * SPAN + space % WIDTH);
}
