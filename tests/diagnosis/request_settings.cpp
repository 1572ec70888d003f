// request_settings [threads] [thousand requests] - a server: each request keeps the settings alive by a shared_ptr of
// its own, reads two of them and lets them go.
#include "start.h"
#include <memory>

// The reference counts lie in another line than the settings, which nobody changes.
struct alignas(128) settings {
    uint64_t limits[64];
};

static std::shared_ptr<const settings> current;
static long requests;
static uint64_t results[64][8];

__attribute__((noinline)) static uint64_t serve(uint64_t request) {
    std::shared_ptr<const settings> mine = current;
    return mine->limits[request & 63] + mine->limits[request * 7 >> 4 & 63];
}

static void server(int thread, int threads) {
    uint64_t sum = 0;
    for (long i = thread; i < requests; i += threads)
        sum += serve(uint64_t(i));
    results[thread][0] = sum;
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    requests = argument(argc, argv, 2, 1000) * 1000;
    settings *fresh = new settings;
    for (uint64_t i = 0; i < 64; i++)
        fresh->limits[i] = i * i;
    current.reset(fresh);
    in_threads(int(threads), server);
    print_integer(results[0][0] + results[threads - 1][0]);
}
