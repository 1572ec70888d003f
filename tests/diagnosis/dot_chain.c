/* dot_chain [passes] - scalar product of two 8 KiB vectors in L1 with a single vector sum: each FMA waits for the last
 * one. */
#include "start.h"

enum { VECTORS = 256 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 10000);
    doubles *a = (doubles *)pages(VECTORS * sizeof *a), *b = (doubles *)pages(VECTORS * sizeof *b);
    doubles sum = {0, 0, 0, 0}, one = {1, 1, 1, 1};
    for (int i = 0; i < VECTORS; i++) {
        a[i] = one;
        b[i] = one + one;
    }
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < VECTORS; i++)
            sum += a[i] * b[i];
        OPAQUE(a);
    }
    print_double(sum_of(sum));
}
