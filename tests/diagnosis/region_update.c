/* region_update [threads] [ticks] - moves the objects in 64 regions of a game map; a quarter of the regions, those with
 * players, at each tick, the others at each eighth tick; each thread has the same number of regions. */
#include "start.h"

typedef int32_t ints __attribute__((vector_size(32)));
enum { REGIONS = 64, OBJECTS = 384 };

static long ticks;
static int64_t results[64][8];

static void update(int thread, int threads) {
    _Alignas(64) ints place[OBJECTS], speed[OBJECTS];
    int32_t sum = 0;
    for (int region = REGIONS * thread / threads; region < REGIONS * (thread + 1) / threads; region++) {
        long moves = region < REGIONS / 4 ? ticks : ticks / 8;
        for (int i = 0; i < OBJECTS; i++) {
            place[i] = (ints){i, region, 1, 2, 3, 4, 5, 6};
            speed[i] = (ints){1, 2, 3, 4, region, i, 7, 8};
        }
        for (long move = 0; move < moves; move++) {
            for (int i = 0; i < OBJECTS; i += 2) {
                place[i] += speed[i];
                place[i + 1] += speed[i + 1];
            }
            ints *all = place;
            OPAQUE(all);
        }
        sum += place[OBJECTS - 1][0] + place[OBJECTS / 2][4];
    }
    results[thread][0] = sum;
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    ticks = argument(argc, argv, 2, 1200);
    in_threads((int)threads, update);
    int64_t sum = 0;
    for (long i = 0; i < threads; i++)
        sum += results[i][0];
    print_integer((uint64_t)(sum & INT32_MAX));
}
