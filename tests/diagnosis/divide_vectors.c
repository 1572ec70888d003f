/* divide_vectors [passes] - quotients of two arrays of 8 KiB in L1. */
#include "start.h"

enum { VECTORS = 256 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 4000);
    doubles *a = (doubles *)pages(VECTORS * sizeof *a), *b = (doubles *)pages(VECTORS * sizeof *b);
    doubles *c = (doubles *)pages(VECTORS * sizeof *c);
    for (int i = 0; i < VECTORS; i++) {
        a[i] = (doubles){1, 2, 3, 4};
        b[i] = (doubles){3, 5, 7, 11} + (double)i;
    }
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < VECTORS; i++)
            c[i] = a[i] / b[i];
        OPAQUE(c);
    }
    print_double(sum_of(c[0] + c[VECTORS - 1]));
}
