// partial_sums [threads] [thousand steps] - each thread keeps sum and count in its element of one small vector.
#include "start.h"
#include <thread>
#include <vector>

struct partial {
    volatile uint32_t sum, count;
};

static void add(partial *mine, long steps) {
    for (long i = 0; i < steps; i++) {
        mine->sum = mine->sum + uint32_t(i);
        mine->count = mine->count + 1;
    }
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2), steps = argument(argc, argv, 2, 4000) * 1000 / threads;
    std::vector<partial> partials(static_cast<size_t>(threads));
    std::vector<std::thread> others;
    for (long i = 1; i < threads; i++)
        others.emplace_back(add, &partials[size_t(i)], steps);
    add(&partials[0], steps);
    for (auto &thread : others)
        thread.join();
    uint64_t sum = 0;
    for (auto &part : partials)
        sum += part.sum + part.count;
    print_integer(sum);
}
