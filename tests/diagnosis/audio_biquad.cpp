// audio_biquad [passes] - recursive low-pass filter on 256 samples of eight channels side by side in a vector.
#include "start.h"

typedef float floats __attribute__((vector_size(32)));
constexpr int SAMPLES = 256;

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 6000);
    alignas(64) static floats in[SAMPLES], out[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        for (int channel = 0; channel < 8; channel++)
            in[i][channel] = 1 + 0.01f * float((i * (channel + 3)) % 50);
    floats first{}, second{};
    const floats b0 = floats{} + 0.2f, b1 = floats{} + 0.4f, a1 = floats{} + 0.36f, a2 = floats{} - 0.19f;
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < SAMPLES; i++) {
            floats x = in[i], y = first + b0 * x;
            first = (second + b1 * x) + a1 * y;
            second = b0 * x + a2 * y;
            out[i] = y;
        }
        floats *all = out;
        OPAQUE(all);
    }
    print_double(double(out[SAMPLES - 1][0] + out[17][5]));
}
