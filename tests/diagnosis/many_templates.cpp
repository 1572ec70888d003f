// many_templates [passes] - calls 2048 different functions of 64 bytes or more in turn: each call enters lines out of
// L1I.
#include "start.h"
#include <utility>

static uint64_t a = 1, b = 2;

template <unsigned N> [[gnu::noinline, gnu::aligned(128)]] void step() {
    uint64_t x = a + N, y = b ^ (N * 2654435761u);
    OPAQUE(x);
    OPAQUE(y);
    a = x ^ (0x12345 + N);
    b = y + (0x54321 ^ N);
}

template <unsigned FIRST, unsigned... N> static void steps(std::integer_sequence<unsigned, N...>) {
    (step<FIRST + (N * 73 & 255)>(), ...);
}

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 400);
    using all = std::make_integer_sequence<unsigned, 256>;
    for (long i = 0; i < passes; i++) {
        steps<0>(all());
        steps<256>(all());
        steps<512>(all());
        steps<768>(all());
        steps<1024>(all());
        steps<1280>(all());
        steps<1536>(all());
        steps<1792>(all());
    }
    print_integer(a + b);
}
