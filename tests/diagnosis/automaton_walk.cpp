// automaton_walk [thousand bases] - feeds random bases to an automaton of 524288 states, whose table has 8 MiB.
#include "start.h"

typedef uint32_t words __attribute__((vector_size(32)));
constexpr uint64_t STATES = 524288;

int main(int argc, char **argv) {
    long bases = argument(argc, argv, 1, 2000) * 1000;
    words *rows = static_cast<words *>(pages(STATES * 16)),
          random = {1, 21, 321, 4321, 54321, 654321, 7654321, 87654321};
    for (uint64_t i = 0; i < STATES / 2; i++) {
        random = random * 1664525u + 1013904223u;
        rows[i] = random >> 13; // the next state of two states for each base
    }
    const uint32_t(*table)[4] = reinterpret_cast<uint32_t(*)[4]>(rows);
    OPAQUE(table);
    uint64_t text = 1, state = 0;
    for (long i = 0; i < bases; i++) {
        text = text * 6364136223846793005 + 1442695040888963407;
        state = table[state][text >> 62];
    }
    print_integer(state);
}
