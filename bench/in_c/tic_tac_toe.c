/* Tic-tac-toe: what each side has marked is a set of nine bits. */

#include <stdint.h>

#define WIDTH 3

typedef struct {
    unsigned marked[2];
    int mover, winner;
} Game;

#include "playouts.h"

#define ALL 0777u

static const unsigned LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

static void start(Game *game)
{
    *game = (Game){{0, 0}, 0, NOBODY};
}

static int winner(const Game *game)
{
    return game->winner;
}

static unsigned empty(const Game *game)
{
    return ALL & ~(game->marked[0] | game->marked[1]);
}

static void mark(Game *game, int space)
{
    unsigned marked = game->marked[game->mover] |= 1u << space;
    for (int line = 0; line < 8; line++)
        if ((marked & LINES[line]) == LINES[line])
            game->winner = FIRST + game->mover;
    if (game->winner == NOBODY && !empty(game))
        game->winner = DRAWN;
    game->mover ^= 1;
}

static void move_at_random(Game *game)
{
    mark(game, any_of(empty(game)));
}

static void print_moves(const Game *game)
{
    for (unsigned left = empty(game); left; left &= left - 1) {
        print_space(__builtin_ctz(left));
        printf(" ");
    }
}

static void take_written_move(Game *game, const char *move)
{
    mark(game, space_named(move));
}
