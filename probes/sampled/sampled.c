/* sampled.c - the program that `assay sampling` runs by default: functions with known counts.
 *
 *     sampled ROUNDS           rounds of all functions (sampled.S)
 *     sampled --parts ROUNDS   what each function does in ROUNDS rounds: lines FUNCTION CALLS PASSES GUARDED OTHER
 *
 * PASSES are iterations of the function's loop. GUARDED of them enter the loop's if, OTHER its else
 * (validate/kernel/function.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum part { ADD, WALK, SWEEP, HIT, CHANCE, RING, PARTS };
enum { LINE = 64, PAGE = 4096, ROUNDS_MAX = 1000000 };

extern const uint64_t sampled_parts[PARTS];
void sampled_rounds(uint64_t rounds, void *walked, void *swept, void *line);

/* Number of negative draws in sampled_chance. */
static uint64_t negative(uint64_t draws) {
    uint64_t state = 1, count = 0;
    for (uint64_t i = 0; i < draws; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        count += state >> 63;
    }
    return count;
}

static void print_parts(uint64_t rounds) {
    static const char *const name[] = {[ADD] = "sampled_add",
                                       [WALK] = "sampled_walk",
                                       [SWEEP] = "sampled_sweep",
                                       [HIT] = "sampled_hit",
                                       [CHANCE] = "sampled_chance"};
    for (int part = ADD; part <= CHANCE; part++) {
        uint64_t passes = rounds * sampled_parts[part], guarded = part == CHANCE ? negative(passes) : 0;
        printf("%s %ju %ju %ju %ju\n", name[part], (uintmax_t)rounds, (uintmax_t)passes, (uintmax_t)guarded,
               (uintmax_t)(part == CHANCE ? passes - guarded : 0));
    }
    printf("sampled_rounds 1 %ju 0 0\n", (uintmax_t)rounds);
}

static void *ring(uint64_t lines) {
    size_t bytes = (lines * sampled_parts[RING] * LINE + PAGE - 1) / PAGE * PAGE;
    void *memory = aligned_alloc(PAGE, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

static int run(uint64_t rounds) {
    void *walked = ring(sampled_parts[WALK]), *swept = ring(sampled_parts[SWEEP]), *line = ring(1);
    int failed = !walked || !swept || !line;
    if (failed)
        fputs("sampled: no memory\n", stderr);
    else
        sampled_rounds(rounds, walked, swept, line);
    free(walked);
    free(swept);
    free(line);
    return failed;
}

int main(int argc, char **argv) {
    int parts = argc == 3 && strcmp(argv[1], "--parts") == 0;
    char *end = "";
    errno = 0;
    uint64_t rounds = argc == 2 + parts ? strtoull(argv[1 + parts], &end, 10) : 0;
    if (errno != 0 || *end != '\0' || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "sampled: give the number of rounds, 1 to %d\n", ROUNDS_MAX);
        return 2;
    }
    if (!parts)
        return run(rounds);
    print_parts(rounds);
    return 0;
}
