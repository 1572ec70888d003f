/* normalise_normals [passes] - scales 512 normals of a mesh to length one; coordinates in single precision, by planes.
 */
#include "start.h"
#include <immintrin.h>

enum { VECTORS = 64 };
struct plane {
    __m256 value[VECTORS];
};

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 16000);
    struct plane *in = (struct plane *)pages(6 * sizeof *in), *out = in + 3;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < VECTORS; i++)
            in[axis].value[i] = _mm256_set_ps(1.5f, 2.5f, 3.1f, 4.3f, 5.7f, 6.1f, (float)axis, 0.3f * (float)i + 0.7f);
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < VECTORS; i++) {
            __m256 x = in[0].value[i], y = in[1].value[i], z = in[2].value[i];
            __m256 length = _mm256_sqrt_ps(x * x + y * y + z * z), scale = 1.0f / length;
            out[0].value[i] = x * scale;
            out[1].value[i] = y * scale;
            out[2].value[i] = z * scale;
        }
        OPAQUE(in);
    }
    print_double(out[0].value[7][0] + out[1].value[33][5] + out[2].value[63][1]);
}
