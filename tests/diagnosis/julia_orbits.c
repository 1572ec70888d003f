/* julia_orbits [passes] - 200 steps of z -> z^2 + c in single precision for six vectors of eight points at a time. */
#include "start.h"

typedef float floats __attribute__((vector_size(32)));

enum { STEPS = 200 };

#define square(r, i)                                                                                                   \
    do {                                                                                                               \
        floats product = r * i;                                                                                        \
        r = r * r + (cr - i * i);                                                                                      \
        i = product * two + ci;                                                                                        \
    } while (0)

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 3000);
    floats *re = (floats *)pages(4096), *im = re + 64, two, cr, ci, moduli = {0};
    for (int lane = 0; lane < 8; lane++) {
        two[lane] = 2;
        cr[lane] = -0.12f;
        ci[lane] = 0.1f;
        for (int i = 0; i < 48; i++) {
            re[i][lane] = (float)i / 96;
            im[i][lane] = (float)lane / 16;
        }
    }
    OPAQUE_VECTOR(two);
    for (long pass = 0; pass < passes; pass++) {
        const floats *r = re + pass % 8 * 6, *m = im + pass % 8 * 6;
        floats ar = r[0], br = r[1], dr = r[2], er = r[3], fr = r[4], gr = r[5];
        floats ai = m[0], bi = m[1], di = m[2], ei = m[3], fi = m[4], gi = m[5];
        for (int step = 0; step < STEPS; step++) {
            square(ar, ai);
            square(br, bi);
            square(dr, di);
            square(er, ei);
            square(fr, fi);
            square(gr, gi);
        }
        moduli += ar * ar + ai * ai + br * bi + dr * di + er * ei + fr * fi + gr * gi;
    }
    print_double((double)(moduli[0] + moduli[7]));
}
