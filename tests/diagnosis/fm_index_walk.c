/* fm_index_walk [thousand steps] - spells a text of 16 million bases backwards from its index: ranks of 16 MiB. */
#include "start.h"

enum { BLOCKS = 262144 };

struct block {
    uint64_t counts[4], low, high; /* bases of each kind before the block; its 64 bases, two bits each */
    uint64_t unused[2];
};

static uint64_t same_bases(const struct block *block, uint64_t base) {
    return (block->low ^ ((base & 1) - 1)) & (block->high ^ ((base >> 1) - 1));
}

int main(int argc, char **argv) {
    long steps = argument(argc, argv, 1, 1000) * 1000;
    struct block *blocks = (struct block *)pages(BLOCKS * sizeof *blocks);
    uint64_t state = 88172645463325252, first[4], running[4] = {0, 0, 0, 0};
    for (long i = 0; i < BLOCKS; i++) {
        struct block *block = &blocks[i];
        block->low = next_random(&state);
        block->high = state * 0x9e3779b97f4a7c15;
        for (unsigned base = 0; base < 4; base++) {
            block->counts[base] = running[base];
            running[base] += (uint64_t)__builtin_popcountll(same_bases(block, base));
        }
    }
    first[0] = 0;
    for (int base = 1; base < 4; base++)
        first[base] = first[base - 1] + running[base - 1];
    uint64_t position = 12345, text = 0;
    for (long i = 0; i < steps; i++) {
        const struct block *block = &blocks[position / 64];
        uint64_t at = position % 64, base = (block->low >> at & 1) | (block->high >> at & 1) << 1;
        uint64_t before = same_bases(block, base) & ((UINT64_C(1) << at) - 1);
        position = first[base] + block->counts[base] + (uint64_t)__builtin_popcountll(before);
        text += base;
    }
    print_integer(position + text);
}
