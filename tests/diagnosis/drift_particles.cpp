// drift_particles [threads] [KiB per array and thread] - moves particles in single precision: three arrays of
// positions, three of velocities.
#include "start.h"

typedef float floats __attribute__((vector_size(32)));

static long kib;
static double results[64][8];

static void drift(int thread, int threads) {
    // The arrays begin 13 lines apart in their pages: no load has the page offset of a recent store.
    size_t n = size_t(kib) * 1024 / sizeof(floats), pitch = n + 26;
    floats *block = static_cast<floats *>(pages(6 * pitch * sizeof *block)), *x = block, *y = x + pitch, *z = y + pitch;
    floats *vx = z + pitch, *vy = vx + pitch, *vz = vy + pitch, one = {1, 1, 1, 1, 1, 1, 1, 1}, dt = one / 64;
    for (size_t i = 0; i < n; i++) {
        x[i] = y[i] = z[i] = one;
        vx[i] = vy[i] = vz[i] = one * float(thread + threads);
    }
    for (int step = 0; step < 3; step++) {
        for (size_t i = 0; i < n; i++) {
            floats to_x = x[i] + dt * vx[i], to_y = y[i] + dt * vy[i], to_z = z[i] + dt * vz[i];
            x[i] = to_x;
            y[i] = to_y;
            z[i] = to_z;
        }
        OPAQUE(block);
    }
    results[thread][0] = double(x[n - 1][0] + y[n / 2][3] + z[0][7]);
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    kib = argument(argc, argv, 2, 6144);
    in_threads(int(threads), drift);
    print_double(results[0][0] + results[threads - 1][0]);
}
