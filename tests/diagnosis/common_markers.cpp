// common_markers [thousand samples] - which of 128 genetic markers all samples of a group have: bit vectors of 16 bytes
// after 56 bytes of a sample's description.
#include "start.h"

typedef uint64_t markers __attribute__((vector_size(16), aligned(8)));

struct sample {
    char name[48];
    uint64_t born;
    markers present;
    uint64_t notes[7];
};
static_assert(sizeof(sample) == 128, "two lines");

constexpr long SAMPLES = 128;

int main(int argc, char **argv) {
    long samples = argument(argc, argv, 1, 16000) * 1000;
    sample *table = static_cast<sample *>(pages(SAMPLES * sizeof(sample)));
    for (long i = 0; i < SAMPLES; i++)
        table[i].present = markers{~(UINT64_C(1) << i % 40), ~(UINT64_C(3) << i % 23)};
    OPAQUE(table);
    markers a = {~UINT64_C(0), ~UINT64_C(0)}, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    for (long i = 0; i < samples; i += 8) {
        const sample *group = table + i % SAMPLES;
        a &= group[0].present;
        b &= group[1].present;
        c &= group[2].present;
        d &= group[3].present;
        e &= group[4].present;
        f &= group[5].present;
        g &= group[6].present;
        h &= group[7].present;
    }
    a ^= b * 3 ^ c * 5 ^ d * 7 ^ e * 11 ^ f * 13 ^ g * 17 ^ h * 19;
    print_integer(a[0] ^ a[1]);
}
