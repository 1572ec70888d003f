/* scalar_triad [passes] - a[i] = b[i] + s * c[i] in L1, compiled without vectors, four elements a step. */
#include "start.h"

enum { N = 1024 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 3000);
    double *restrict a = (double *)pages(N * sizeof *a), *restrict b = (double *)pages(N * sizeof *b);
    double *restrict c = (double *)pages(N * sizeof *c);
    for (int i = 0; i < N; i++) {
        b[i] = i;
        c[i] = 2;
    }
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < N; i += 4) {
            a[i] = b[i] + 3 * c[i];
            a[i + 1] = b[i + 1] + 3 * c[i + 1];
            a[i + 2] = b[i + 2] + 3 * c[i + 2];
            a[i + 3] = b[i + 3] + 3 * c[i + 3];
        }
        OPAQUE(a);
    }
    print_double(a[7] + a[N - 1]);
}
