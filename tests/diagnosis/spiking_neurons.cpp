// spiking_neurons [threads] [steps] - leaky neurons, 2048 for each thread: a neuron that passes the threshold is
// counted and starts again at zero.
#include "start.h"
#include <immintrin.h>

constexpr long NEURONS = 2048;

static long steps;
static uint64_t results[64][8];

struct population {
    float potential[NEURONS + 512], current[NEURONS]; // half a page apart
};

static uint64_t step_all(float *potential, const float *current) {
    const __m256 decay = _mm256_set1_ps(0.9F), threshold = _mm256_set1_ps(1);
    uint64_t spikes = 0;
    for (long i = 0; i < NEURONS; i += 8) {
        __m256 p = _mm256_fmadd_ps(_mm256_load_ps(potential + i), decay, _mm256_load_ps(current + i));
        __m256 fires = _mm256_cmp_ps(p, threshold, _CMP_GT_OQ);
        _mm256_store_ps(potential + i, _mm256_andnot_ps(fires, p));
        spikes += uint64_t(__builtin_popcount(unsigned(_mm256_movemask_ps(fires))));
    }
    return spikes;
}

static void simulate(int thread, int threads) {
    population *neurons = static_cast<population *>(pages(sizeof *neurons));
    uint64_t state = uint64_t(thread) + 1, spikes = 0;
    for (long i = 0; i < NEURONS; i++) {
        neurons->potential[i] = 0;
        neurons->current[i] = 0.1F + float(next_random(&state) % 1000) / 4000;
    }
    for (long step = 0; step < steps / threads; step++)
        spikes += step_all(neurons->potential, neurons->current);
    results[thread][0] = spikes;
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    steps = argument(argc, argv, 2, 16000);
    in_threads(int(threads), simulate);
    print_integer(results[0][0] + results[threads - 1][0]);
}
