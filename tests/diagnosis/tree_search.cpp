// tree_search [levels] - searches an implicit binary tree; the key of a search depends on the result of the last one.
#include "start.h"

int main(int argc, char **argv) {
    long levels = argument(argc, argv, 1, 20);
    uint64_t *tree = static_cast<uint64_t *>(pages(sizeof(uint64_t) << levels));
    // The middle keys of equal intervals: node i of level l has key (2 (i - 2^l) + 1) 2^(63 - l).
    for (long level = 0; level < levels; level++)
        for (size_t i = size_t(1) << level; i < size_t(2) << level; i++)
            tree[i] = (2 * (i - (size_t(1) << level)) + 1) << (63 - level);
    uint64_t key = 1, sum = 0;
    for (int search = 0; search < 40000; search++) {
        size_t i = 1;
        for (long level = 0; level < levels; level++)
            i = 2 * i + (tree[i] <= key);
        sum += i;
        key = (key ^ i) * 0x9e3779b97f4a7c15;
    }
    print_integer(sum);
}
