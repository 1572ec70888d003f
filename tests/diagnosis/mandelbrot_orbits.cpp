// mandelbrot_orbits [passes] - 512 steps of the orbits of 48 points inside of the Mandelbrot set, in single precision.
#include "start.h"

typedef float floats __attribute__((vector_size(32)));
constexpr int GROUPS = 6, STEPS = 512;

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 1500);
    alignas(64) static floats real[GROUPS], imaginary[GROUPS];
    for (int g = 0; g < GROUPS; g++)
        for (int lane = 0; lane < 8; lane++) {
            real[g][lane] = -0.4f + 0.05f * float(lane + g);
            imaginary[g][lane] = 0.3f - 0.04f * float(g + lane / 2);
        }
    floats x[GROUPS]{}, y[GROUPS]{};
    for (long pass = 0; pass < passes; pass++)
        for (int step = 0; step < STEPS; step++)
#pragma GCC unroll 6
            for (int g = 0; g < GROUPS; g++) {
                floats next = x[g] * x[g] + (real[g] - y[g] * y[g]);
                y[g] = (x[g] + x[g]) * y[g] + imaginary[g];
                x[g] = next;
            }
    floats sum = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + y[0] + y[1] + y[2] + y[3] + y[4] + y[5];
    print_double(double(sum[0] + sum[7]));
}
