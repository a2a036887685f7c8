/* A tenth of the rules of Panzer Leader: units are set up, fire at what they see, and march; all at random.
 *
 * What is here: set-up by columns, stacking, range, lines of sight, spotting in cover, the weapons chart, armored
 * targets, odds, the die, dispersal and recovery, one attack a turn, the price of each step, and enemies in the way.
 * What is not: transport, forts, mines, blocks, bridges, engineers, smoke, indirect and opportunity fire, overruns,
 * close assault, fire at several units at once, slopes, victory, and all the exceptions.
 *
 *   march_and_fire tries|lists COUNT < BATTLEFIELD
 *
 * plays games; prints seconds of CPU, decisions, and units that were destroyed. To draw one of the units that may do
 * something, it tries units in random order until one may, as the engine's random player does; or it lists them all.
 * A decision is a draw that had two options or more. Prices are in half points, strengths in quarters.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_HEXES = 256, MOST_UNITS = 256, MOST_RANGE = 40, CLASSES = 2, STACK = 4, LOWEST = -3, COLUMNS = 7 };
enum { NONE, DISPERSE, DISPERSE_OR_DESTROY, DESTROY };
enum { BARRED = -1, GONE = -1, SLOWEST = 2 }; /* Who has one point alone may always go one hex. */

static int hexes, units, turns;
static int around[MOST_HEXES][6], covered[MOST_HEXES], town[MOST_HEXES];
static int may_stand[CLASSES][MOST_HEXES], price[CLASSES][MOST_HEXES][6];
static unsigned char away[MOST_HEXES][MOST_HEXES], seen[MOST_HEXES][MOST_HEXES];
static int side[MOST_UNITS], class[MOST_UNITS], range[MOST_UNITS], defense[MOST_UNITS], movement[MOST_UNITS];
static int armored[MOST_UNITS], first_column[MOST_UNITS], last_column[MOST_UNITS], column_of[MOST_HEXES];
static int strength[MOST_UNITS][2][MOST_RANGE]; /* By unit, armored or soft target, and distance. */
static int result[6][COLUMNS];

static int first_of[2], end_of[2]; /* The units of a side follow each other. */
static int at[MOST_UNITS], dispersed[MOST_UNITS], fired[MOST_UNITS], moved[MOST_UNITS], present[2][MOST_HEXES];
static int lists;
static long decisions, destroyed;
static uint64_t chance = 0x9E3779B97F4A7C15u;

/* A number from 0 to limit - 1, by xorshift64*. */
static unsigned below(unsigned limit)
{
    chance ^= chance >> 12;
    chance ^= chance << 25;
    chance ^= chance >> 27;
    uint64_t high = (chance * 0x2545F4914F6CDD1Du) >> 32;
    return (unsigned)(high * limit >> 32);
}

/* One of some options; it is a decision where there are two. */
static int choice(int count)
{
    if (count < 2)
        return 0;
    decisions++;
    return (int)below((unsigned)count);
}

static int list_open(int player, int (*is_open)(int unit), int *open)
{
    int count = 0;
    for (int unit = first_of[player]; unit < end_of[player]; unit++)
        if (is_open(unit))
            open[count++] = unit;
    return count;
}

static int is_any_open(int player, int (*is_open)(int unit))
{
    int open[MOST_UNITS];
    if (lists)
        return list_open(player, is_open, open) > 0;
    for (int unit = first_of[player]; unit < end_of[player]; unit++)
        if (is_open(unit))
            return 1;
    return 0;
}

/* One of the units of a side that are open, tried in random order; it is a decision where there is a second. */
static int try_open(int player, int (*is_open)(int unit))
{
    int left[MOST_UNITS], count = 0, found = GONE;
    for (int unit = first_of[player]; unit < end_of[player]; unit++)
        left[count++] = unit;
    while (count) {
        int place = (int)below((unsigned)count), unit = left[place];
        left[place] = left[--count];
        if (!is_open(unit))
            continue;
        if (found != GONE) {
            decisions++;
            break;
        }
        found = unit;
    }
    return found;
}

static int drawn(int player, int (*is_open)(int unit))
{
    int open[MOST_UNITS];
    return lists ? open[choice(list_open(player, is_open, open))] : try_open(player, is_open);
}

/* Set-up. */

static void put(int unit, int hex)
{
    at[unit] = hex;
    present[side[unit]][hex]++;
}

static void take_away(int unit)
{
    present[side[unit]][at[unit]]--;
    at[unit] = GONE;
}

static void set_up(int unit)
{
    int places[MOST_HEXES], count = 0;
    for (int hex = 0; hex < hexes; hex++)
        if (column_of[hex] >= first_column[unit] && column_of[hex] <= last_column[unit]
            && present[side[unit]][hex] < STACK && may_stand[class[unit]][hex])
            places[count++] = hex;
    put(unit, places[choice(count)]);
}

/* Fire. */

static int is_spotted(int target)
{
    if (!covered[at[target]])
        return 1;
    for (int way = 0; way < 6; way++) {
        int near = around[at[target]][way];
        if (near >= 0 && present[!side[target]][near])
            return 1;
    }
    return 0;
}

static int strength_against(int firer, int target)
{
    int far = away[at[firer]][at[target]];
    if (dispersed[firer] || fired[firer] || far > range[firer] || !seen[at[firer]][at[target]])
        return 0;
    return strength[firer][armored[target] || town[at[target]]][far];
}

/* The column of some odds, below LOWEST if there is none. */
static int column(int attack, int target)
{
    int defended = defense[target] * 4;
    if (attack >= defended) {
        int odds = attack / defended - 1;
        return odds > 3 ? 3 : odds;
    }
    return attack ? 1 - (defended + attack - 1) / attack : LOWEST - 1;
}

/* Whether those who may fire at a target reach a column together. */
static int is_open_target(int target)
{
    int attack = 0;
    if (at[target] == GONE || !is_spotted(target))
        return 0;
    for (int unit = first_of[!side[target]]; unit < end_of[!side[target]]; unit++) {
        if (at[unit] != GONE)
            attack += strength_against(unit, target);
        if (column(attack, target) >= LOWEST)
            return 1;
    }
    return 0;
}

static void strike(int target, int outcome)
{
    if (outcome == DESTROY || (outcome == DISPERSE_OR_DESTROY && dispersed[target])) {
        take_away(target);
        destroyed++;
    } else if (outcome != NONE) {
        dispersed[target] = 1;
    }
}

/* Some of those who may fire do: any part of them that reaches a column. */
static void fire_at(int player, int target)
{
    int firers[MOST_UNITS], strong[MOST_UNITS], chosen[MOST_UNITS], count = 0, attack;
    for (int unit = first_of[player]; unit < end_of[player]; unit++)
        if (at[unit] != GONE && (strong[count] = strength_against(unit, target)))
            firers[count++] = unit;
    decisions += count > 1;
    do {
        attack = 0;
        for (int number = 0; number < count; number++) {
            chosen[number] = count == 1 || below(2);
            attack += chosen[number] ? strong[number] : 0;
        }
    } while (column(attack, target) < LOWEST);
    for (int number = 0; number < count; number++)
        fired[firers[number]] |= chosen[number];
    strike(target, result[below(6)][column(attack, target) - LOWEST]);
}

static void combat(int player)
{
    while (is_any_open(!player, is_open_target) && choice(2))
        fire_at(player, drawn(!player, is_open_target));
}

/* March. */

static int is_open_step(int unit, int way, int left)
{
    int to = around[at[unit]][way], pays = price[class[unit]][at[unit]][way];
    if (to < 0 || pays == BARRED || present[!side[unit]][to] || present[side[unit]][to] >= STACK)
        return 0;
    return pays <= left || (left == movement[unit] && movement[unit] == SLOWEST);
}

static int open_steps(int unit, int left, int *steps)
{
    int count = 0;
    for (int way = 0; way < 6; way++)
        if (is_open_step(unit, way, left))
            steps[count++] = way;
    return count;
}

static int is_open_mover(int unit)
{
    if (at[unit] == GONE || dispersed[unit] || fired[unit] || moved[unit])
        return 0;
    for (int way = 0; way < 6; way++)
        if (is_open_step(unit, way, movement[unit]))
            return 1;
    return 0;
}

static void march(int unit)
{
    int steps[6], count, left = movement[unit];
    moved[unit] = 1;
    while ((count = open_steps(unit, left, steps)) && choice(2)) {
        int way = steps[choice(count)], to = around[at[unit]][way];
        left -= price[class[unit]][at[unit]][way];
        take_away(unit);
        put(unit, to);
    }
}

static void movement_of(int player)
{
    memset(moved, 0, sizeof moved);
    while (is_any_open(player, is_open_mover) && choice(2))
        march(drawn(player, is_open_mover));
}

static void play(void)
{
    memset(present, 0, sizeof present);
    memset(dispersed, 0, sizeof dispersed);
    for (int unit = 0; unit < units; unit++)
        set_up(unit);
    for (int turn = 0; turn < turns; turn++)
        for (int player = 0; player < 2; player++) {
            memset(fired, 0, sizeof fired);
            combat(player);
            movement_of(player);
            for (int unit = 0; unit < units; unit++)
                if (side[unit] == player)
                    dispersed[unit] = 0;
        }
}

/* The battlefield: numbers, as bench/march_and_fire.py writes them. */

static int number(void)
{
    int value;
    if (scanf("%d", &value) != 1)
        exit(1);
    return value;
}

static void read_battlefield(void)
{
    hexes = number(), units = number(), turns = number();
    for (int hex = 0; hex < hexes; hex++) {
        column_of[hex] = number(), covered[hex] = number(), town[hex] = number();
        for (int way = 0; way < 6; way++)
            around[hex][way] = number();
        for (int kind = 0; kind < CLASSES; kind++) {
            may_stand[kind][hex] = number();
            for (int way = 0; way < 6; way++)
                price[kind][hex][way] = number();
        }
        for (int other = 0; other < hexes; other++)
            away[hex][other] = (unsigned char)number(), seen[hex][other] = (unsigned char)number();
    }
    for (int unit = 0; unit < units; unit++) {
        side[unit] = number(), class[unit] = number(), range[unit] = number(), defense[unit] = number();
        movement[unit] = number(), armored[unit] = number();
        first_column[unit] = number(), last_column[unit] = number();
        for (int hard = 0; hard < 2; hard++)
            for (int far = 0; far <= range[unit]; far++)
                strength[unit][hard][far] = number();
        end_of[side[unit]] = unit + 1;
    }
    first_of[1] = end_of[0];
    for (int die = 0; die < 6; die++)
        for (int place = 0; place < COLUMNS; place++)
            result[die][place] = number();
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 1;
    lists = !strcmp(arguments[1], "lists");
    read_battlefield();
    clock_t began = clock();
    for (long left = atol(arguments[2]); left; left--)
        play();
    printf("%f %ld %ld\n", (double)(clock() - began) / CLOCKS_PER_SEC, decisions, destroyed);
    return 0;
}
