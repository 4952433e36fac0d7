/* Random five-player Avalon as a plain loop in C: how fast one core is without a rules library.
 *
 *     bare_loop GAMES SEED     prints: games won by Evil, and CPU seconds
 *
 * The same draws as benchmarks/bare_loop.py: every vote and every card, five roles, a first leader, a shot.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t one, other;

static inline uint64_t turned(uint64_t word, int by) { return word << by | word >> (64 - by); }

static inline uint64_t next_word(void) { /* xoroshiro128++, as in the kernels */
    uint64_t a = one, b = other, word = turned(a + b, 17) + a;
    b ^= a;
    one = turned(a, 49) ^ b ^ b << 21;
    other = turned(b, 28);
    return word;
}

static inline uint32_t below(uint32_t bound) { return (next_word() >> 32) * bound >> 32; }

static const int SIZES[5] = {2, 3, 2, 3, 3};
static const unsigned TEAMS[4][10] = {
    {0}, {0}, {3, 5, 9, 17, 6, 10, 18, 12, 20, 24}, {7, 11, 19, 13, 21, 25, 14, 22, 26, 28}};

static int play(unsigned *history) { /* 1 if Evil wins; roles: 0 Merlin, 1 Percival, 2 Servant, 3 Morgana, 4 Assassin */
    int seats[5] = {0, 1, 2, 3, 4}, good = 0, evil = 0, length = 0, merlin = 0, assassin = 0;
    unsigned evil_seats = 0;
    for (int last = 4; last > 0; last--) {
        int place = below(last + 1), role = seats[last];
        seats[last] = seats[place], seats[place] = role;
    }
    for (int seat = 0; seat < 5; seat++) {
        if (seats[seat] == 0) merlin = seat;
        if (seats[seat] == 4) assassin = seat;
        if (seats[seat] > 2) evil_seats |= 1u << seat;
    }
    int leader = below(5);
    for (;;) {
        unsigned team = 0;
        for (int attempt = 0;; attempt++) {
            if (attempt == 5) return 1;
            team = TEAMS[SIZES[good + evil]][below(10)];
            unsigned ballots = next_word() >> 59;
            history[length++ & 63] = team << 8 | ballots;
            leader = leader == 4 ? 0 : leader + 1;
            if (__builtin_popcount(ballots) > 2) break;
        }
        unsigned cards = next_word() >> 59 & team & evil_seats;
        history[length++ & 63] = team << 8 | cards;
        if (cards) {
            if (++evil == 3) return 1;
        } else if (++good == 3) {
            int shot = below(4);
            return shot + (shot >= assassin) == merlin;
        }
    }
}

int main(int count, char **words) {
    long games = count > 1 ? atol(words[1]) : 1000000, won = 0;
    unsigned history[64] = {0}, kept = 0;
    one = count > 2 ? (uint64_t)atol(words[2]) * 0x9E3779B97F4A7C15u + 1 : 1, other = 0xBF58476D1CE4E5B9u;
    clock_t start = clock();
    for (long game = 0; game < games; game++) won += play(history), kept ^= history[game & 63];
    printf("%ld %.6f %u\n", won, (double)(clock() - start) / CLOCKS_PER_SEC, kept & 1);
    return 0;
}
