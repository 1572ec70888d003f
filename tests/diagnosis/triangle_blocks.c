/* triangle_blocks [threads] [passes] - lower triangle of a 256 x 256 matrix in longs times a vector; equal numbers of
 * rows. */
#include "start.h"

enum { ROWS = 256, VECTORS = ROWS / 4 };

static long passes;
static longs matrix[ROWS][VECTORS];
static int64_t result[ROWS];

static void multiply(int thread, int threads) {
    int first = ROWS * thread / threads, last = ROWS * (thread + 1) / threads;
    for (long pass = 0; pass < passes; pass++)
        for (int row = first; row < last; row++) {
            longs even = {0}, odd = {0};
            for (int i = 0; i <= row / 8; i++) {
                even += matrix[row][2 * i];
                odd += matrix[row][2 * i + 1];
            }
            even += odd;
            result[row] += even[0] + even[1] + even[2] + even[3];
        }
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    passes = argument(argc, argv, 2, 500);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < VECTORS; j++)
            matrix[i][j] = (longs){i, j, 1, 2};
    in_threads((int)threads, multiply);
    int64_t sum = 0;
    for (int i = 0; i < ROWS; i++)
        sum += result[i];
    print_integer((uint64_t)sum);
}
