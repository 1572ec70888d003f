/* ant_trails [thousand steps] - four ants on one tour of 512 places; each step leaves pheromone at a place. */
#include "start.h"

enum { PLACES = 512 };

/* The amount at a place has the page offset of the place that follows it in the tour, which is read next. */
struct tour {
    uint64_t amount[PLACES], next[PLACES];
};

int main(int argc, char **argv) {
    long steps = argument(argc, argv, 1, 2500) * 1000;
    struct tour *tour = (struct tour *)pages(sizeof *tour);
    for (uint64_t i = 0; i < PLACES; i++) {
        tour->next[i] = (i + 181) % PLACES;
        tour->amount[i] = i;
    }
    uint64_t a = 0, b = 181 * 128 % PLACES, c = 181 * 256 % PLACES, d = 181 * 384 % PLACES;
    for (long i = 0; i < steps; i++) {
        tour->amount[a] += 2;
        OPAQUE(tour);
        a = tour->next[a];
        tour->amount[b] += 3;
        OPAQUE(tour);
        b = tour->next[b];
        tour->amount[c] += 5;
        OPAQUE(tour);
        c = tour->next[c];
        tour->amount[d] += 7;
        OPAQUE(tour);
        d = tour->next[d];
    }
    print_integer(tour->amount[a] + tour->amount[(b + 7) % PLACES] * 3 + tour->amount[c] * 5);
}
