/* coin_branches [thousand throws] - a branch on one bit of a random number; both ways do different work. */
#include "start.h"

int main(int argc, char **argv) {
    long throws = argument(argc, argv, 1, 1000) * 1000;
    uint64_t state = 88172645463325252u, heads = 0, tails = 1;
    for (long i = 0; i < throws; i++) {
        if (next_random(&state) & 64) {
            heads += 3;
            OPAQUE(heads);
        } else {
            tails ^= 5;
            OPAQUE(tails);
        }
    }
    print_integer(heads + tails);
}
