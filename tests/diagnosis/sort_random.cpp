// sort_random [sorts] - std::sort of 2048 random integers in L1, new ones each time.
#include "start.h"
#include <algorithm>

int main(int argc, char **argv) {
    long sorts = argument(argc, argv, 1, 80);
    static uint32_t values[2048];
    uint64_t state = 1, sum = 0;
    for (long sort = 0; sort < sorts; sort++) {
        for (uint32_t &value : values)
            value = uint32_t(next_random(&state) >> 32);
        std::sort(values, values + 2048);
        sum += values[sort % 2048];
    }
    print_integer(sum);
}
