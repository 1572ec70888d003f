/* halves_to_word [thousand words] - stores two halves of a word, then loads the word: no forwarding. */
#include "start.h"

int main(int argc, char **argv) {
    long words = argument(argc, argv, 1, 1500) * 1000;
    union {
        int32_t halves[2];
        int64_t word;
    } slots[8] = {{{0, 0}}};
    uint64_t sum = 0;
    for (long i = 0; i < words; i++) {
        volatile int32_t *halves = slots[i % 8].halves;
        halves[0] = (int32_t)i;
        halves[1] = (int32_t)sum;
        sum += (uint64_t) * (volatile int64_t *)&slots[i % 8].word;
    }
    print_integer(sum);
}
