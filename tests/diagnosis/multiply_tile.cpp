// multiply_tile [products] - products of 48 x 48 matrices in L1, in register tiles of 4 rows and 3 vectors.
#include "start.h"

constexpr int N = 48, VECTORS = N / 4;

static void multiply(const double *a, const doubles *b, doubles *c) {
    for (int row = 0; row < N; row += 4)
        for (int column = 0; column < VECTORS; column += 3) {
            doubles sum[4][3] = {};
            for (int k = 0; k < N; k++) {
                doubles b0 = b[k * VECTORS + column], b1 = b[k * VECTORS + column + 1],
                        b2 = b[k * VECTORS + column + 2];
#pragma GCC unroll 4
                for (int r = 0; r < 4; r++) {
                    double factor = a[(row + r) * N + k];
                    doubles f = {factor, factor, factor, factor};
                    sum[r][0] += f * b0;
                    sum[r][1] += f * b1;
                    sum[r][2] += f * b2;
                }
            }
#pragma GCC unroll 4
            for (int r = 0; r < 4; r++)
#pragma GCC unroll 3
                for (int v = 0; v < 3; v++)
                    c[(row + r) * VECTORS + column + v] = sum[r][v];
        }
}

int main(int argc, char **argv) {
    long products = argument(argc, argv, 1, 200);
    double *a = static_cast<double *>(pages(N * N * sizeof *a));
    doubles *b = static_cast<doubles *>(pages(N * N * sizeof *a)),
            *c = static_cast<doubles *>(pages(N * N * sizeof *a));
    for (int i = 0; i < N * N; i++)
        a[i] = 1.0 / (1 + i % 7);
    for (int i = 0; i < N * VECTORS; i++)
        b[i] = doubles{1, 2, 3, 4};
    for (long i = 0; i < products; i++) {
        multiply(a, b, c);
        OPAQUE(c);
    }
    print_double(sum_of(c[N * VECTORS - 1]));
}
