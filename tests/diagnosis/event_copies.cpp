// event_copies [thousand events] - a network simulation fills in events field by field and copies each to its queue.
#include "start.h"
#include <immintrin.h>

struct alignas(16) event {
    int64_t time;
    int32_t kind, node;
};

constexpr long SLOTS = 8, QUEUE = 64;

// A message reaches the next node 5 to 20 ticks later.
static void fill_in(event *next, int64_t now, long number) {
    next->time = now + 5;
    next->kind = int32_t(number & 15);
    next->node = int32_t(number);
    OPAQUE(next);
}

int main(int argc, char **argv) {
    long events = argument(argc, argv, 1, 1800) * 1000;
    event *slots = static_cast<event *>(pages(SLOTS * sizeof *slots));
    __m128i *queue = static_cast<__m128i *>(pages(QUEUE * sizeof *queue + 2048)) + 128;
    for (long i = 0; i < QUEUE; i++)
        queue[i] = _mm_setzero_si128();
    int64_t now = 0;
    for (long i = 0; i < events; i++) {
        event *next = &slots[i & (SLOTS - 1)];
        fill_in(next, now, i);
        __m128i copy = _mm_load_si128(reinterpret_cast<const __m128i *>(next));
        queue[i & (QUEUE - 1)] = copy;
        now = _mm_cvtsi128_si64(copy) + (i & 15);
    }
    OPAQUE(queue);
    print_integer(uint64_t(now + _mm_extract_epi32(queue[7], 3)));
}
