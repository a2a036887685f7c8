/* Hex: groups of stones are joined in trees whose roots stand for them; four roots more are the sides of the board. */

#define WIDTH 11
#define SPACES (WIDTH * WIDTH)

enum { TOP = SPACES, BOTTOM, LEFT, RIGHT, ROOTS };

typedef struct {
    unsigned char owner[SPACES], empty[SPACES], parent[ROOTS];
    int left, mover, winner;
} Game;

#include "playouts.h"

static void start(Game *game)
{
    memset(game->owner, NOBODY, sizeof game->owner);
    for (int space = 0; space < SPACES; space++)
        game->empty[space] = (unsigned char)space;
    for (int root = 0; root < ROOTS; root++)
        game->parent[root] = (unsigned char)root;
    game->left = SPACES;
    game->mover = 0;
    game->winner = NOBODY;
}

static int winner(const Game *game)
{
    return game->winner;
}

static int root_of(Game *game, int member)
{
    while (game->parent[member] != member)
        member = game->parent[member] = game->parent[game->parent[member]];
    return member;
}

static void join(Game *game, int one, int other)
{
    game->parent[root_of(game, one)] = (unsigned char)root_of(game, other);
}

static void place(Game *game, int number)
{
    static const int STEPS[6][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}};
    int space = game->empty[number], row = space / WIDTH, column = space % WIDTH, owner = FIRST + game->mover;
    game->empty[number] = game->empty[--game->left];
    game->owner[space] = (unsigned char)owner;
    for (int way = 0; way < 6; way++) {
        int down = row + STEPS[way][0], across = column + STEPS[way][1];
        if (down >= 0 && down < WIDTH && across >= 0 && across < WIDTH && game->owner[down * WIDTH + across] == owner)
            join(game, space, down * WIDTH + across);
    }
    int at = owner == FIRST ? row : column, near = owner == FIRST ? TOP : LEFT;
    if (at == 0)
        join(game, space, near);
    if (at == WIDTH - 1)
        join(game, space, near + 1);
    if (root_of(game, near) == root_of(game, near + 1))
        game->winner = owner;
    game->mover ^= 1;
}

static void move_at_random(Game *game)
{
    place(game, (int)below((unsigned)game->left));
}

static void print_moves(const Game *game)
{
    for (int number = 0; number < game->left; number++) {
        print_space(game->empty[number]);
        printf(" ");
    }
}

static void take_written_move(Game *game, const char *move)
{
    int number = 0;
    while (game->empty[number] != space_named(move))
        number++;
    place(game, number);
}
