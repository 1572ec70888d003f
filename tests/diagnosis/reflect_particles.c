/* reflect_particles [passes] - moves 1024 particles between two walls in L1; walls turn velocities by masks. */
#include "start.h"

enum { VECTORS = 256 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 8000);
    doubles *place = (doubles *)pages(2 * VECTORS * sizeof *place), *speed = place + VECTORS;
    doubles one = {1, 1, 1, 1}, left = one - one, right = one, step = one / 128;
    longs sign = (longs)-left;
    for (int i = 0; i < VECTORS; i++) {
        place[i] = one / (double)(i + 2);
        speed[i] = (doubles){0.5, -0.25, 1, -0.125} * (double)(1 + i % 3);
    }
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < VECTORS; i++) {
            doubles to = place[i] + step * speed[i];
            longs velocity = ((longs)speed[i] | ((longs)(to > right) & sign)) & ~((longs)(to < left) & sign);
            place[i] = to;
            speed[i] = (doubles)velocity;
        }
        OPAQUE(place);
    }
    print_double(sum_of(place[0] + place[VECTORS - 1] + speed[77]));
}
