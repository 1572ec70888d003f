// push_velocities [thousand vectors] - adds forces to three arrays of velocities; all six arrays of floats have 4096
// bytes.
#include "start.h"

typedef float floats __attribute__((vector_size(32)));

constexpr long VECTORS = 128;

struct plasma {
    floats vx[VECTORS], vy[VECTORS], vz[VECTORS], fx[VECTORS], fy[VECTORS], fz[VECTORS];
};

int main(int argc, char **argv) {
    long vectors = argument(argc, argv, 1, 1500) * 1000;
    plasma *p = static_cast<plasma *>(pages(sizeof *p));
    floats one = {1, 1, 1, 1, 1, 1, 1, 1}, dt = one / 1024;
    for (long i = 0; i < VECTORS; i++) {
        p->vx[i] = p->vy[i] = p->vz[i] = one * float(i);
        p->fx[i] = p->fy[i] = p->fz[i] = one / float(i + 1);
    }
    for (long i = 0; i < vectors; i++) {
        long at = i % VECTORS & (VECTORS - 1);
        p->vx[at] += dt * p->fx[at];
        OPAQUE(p);
        p->vy[at] += dt * p->fy[at];
        OPAQUE(p);
        p->vz[at] += dt * p->fz[at];
        OPAQUE(p);
    }
    print_double(double(p->vx[5][0] + p->vy[60][3] + p->vz[127][7]));
}
