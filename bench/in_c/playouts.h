/* What the games in C share: chance, names of spaces, and the two ways in which they are run.
 *
 *   GAME playouts COUNT   plays at random; prints seconds of CPU, wins of the first and of the second side, and moves.
 *   GAME moves            reads games, one a line, moves between blanks; prints the legal moves of each position.
 *
 * A game defines WIDTH and its `Game`, and the five functions below.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

enum { NOBODY, FIRST, SECOND, DRAWN };

static void start(Game *game);
static int winner(const Game *game);
static void move_at_random(Game *game);
static void print_moves(const Game *game);
static void take_written_move(Game *game, const char *move);

static uint64_t chance = 0x9E3779B97F4A7C15u;

/* A number from 0 to limit - 1, by xorshift64*. */
static inline unsigned below(unsigned limit)
{
    chance ^= chance >> 12;
    chance ^= chance << 25;
    chance ^= chance >> 27;
    uint64_t high = (chance * 0x2545F4914F6CDD1Du) >> 32;
    return (unsigned)(high * limit >> 32);
}

/* The place of one of the bits of a set that is not empty. */
static inline int any_of(uint64_t set)
{
    unsigned number = below((unsigned)__builtin_popcountll(set));
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64((uint64_t)1 << number, set));
#else
    while (number--)
        set &= set - 1;
    return __builtin_ctzll(set);
#endif
}

/* A space is written as its column and row, "A1", and counted row by row. */
static inline int space_named(const char *name)
{
    return (atoi(name + 1) - 1) * WIDTH + name[0] - 'A';
}

static inline void print_space(int space)
{
    printf("%c%d", 'A' + space % WIDTH, space / WIDTH + 1);
}

static void play(long count)
{
    long wins[4] = {0}, moves = 0;
    clock_t began = clock();
    for (long number = 0; number < count; number++) {
        Game game;
        start(&game);
        while (winner(&game) == NOBODY) {
            move_at_random(&game);
            moves++;
        }
        wins[winner(&game)]++;
    }
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    printf("%f %ld %ld %ld\n", seconds, wins[FIRST], wins[SECOND], moves);
}

static void list(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        Game game;
        start(&game);
        for (char *move = strtok(line, " \n"); move; move = strtok(NULL, " \n"))
            take_written_move(&game, move);
        if (winner(&game) == NOBODY)
            print_moves(&game);
        printf("\n");
    }
}

int main(int count, char **arguments)
{
    if (count == 3 && !strcmp(arguments[1], "playouts"))
        play(atol(arguments[2]));
    else
        list();
    return 0;
}
