// plasma_moments [threads] [thousand particles] - all threads add each particle to four shared sums, each in a line of
// its own.
#include "start.h"
#include <atomic>

struct alignas(64) moment {
    std::atomic<double> sum{0};
    void add(double value) {
        double old = sum.load(std::memory_order_relaxed);
        while (!sum.compare_exchange_weak(old, old + value, std::memory_order_relaxed)) {
        }
    }
};

static long particles;
static moment charge, momentum, energy, flux;

static void deposit(int thread, int) {
    uint64_t state = uint64_t(thread) + 1;
    for (long i = 0; i < particles; i++) {
        double velocity = double(int(next_random(&state) & 15)); // sums of whole numbers are exact in any order
        charge.add(1);
        momentum.add(velocity);
        energy.add(velocity * velocity);
        flux.add(velocity + 1);
    }
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    particles = argument(argc, argv, 2, 800) * 1000 / threads;
    in_threads(int(threads), deposit);
    print_double(charge.sum + momentum.sum + energy.sum + flux.sum);
}
