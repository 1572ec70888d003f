// quantile_bins [passes] - bins of 1024 values between 64 sorted limits: eight binary searches at a time, no branch.
#include "start.h"

constexpr int LIMITS = 64, VALUES = 1024, TOGETHER = 8;

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 1000);
    static uint32_t limits[LIMITS], values[VALUES];
    uint64_t state = 1;
    for (uint32_t i = 0; i < LIMITS; i++)
        limits[i] = i * 67108864u + 77;
    for (uint32_t &value : values)
        value = uint32_t(next_random(&state));
    uint64_t sum = 0;
    for (long pass = 0; pass < passes; pass++) {
        const uint32_t *value = values;
        OPAQUE(value);
        for (int i = 0; i < VALUES; i += TOGETHER) {
            uint64_t at[TOGETHER]{};
#pragma GCC unroll 6
            for (uint64_t half = LIMITS / 2; half > 0; half /= 2)
#pragma GCC unroll 8
                for (int k = 0; k < TOGETHER; k++)
                    at[k] += half * uint64_t(limits[at[k] + half] <= value[i + k]);
#pragma GCC unroll 8
            for (int k = 0; k < TOGETHER; k++)
                sum += at[k] << k;
        }
    }
    print_integer(sum);
}
