/* mix_signals [passes] - radio receiver: complex samples times a local oscillator, one sample after the other. */
#include "start.h"

enum { SAMPLES = 1216 };

struct sample {
    float re, im;
};

static void mix(const struct sample *antenna, const struct sample *oscillator, struct sample *base_band) {
    for (int i = 0; i < SAMPLES; i++) {
        struct sample a = antenna[i], o = oscillator[i];
        base_band[i].re = a.re * o.re - a.im * o.im;
        base_band[i].im = a.re * o.im + a.im * o.re;
    }
}

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 2400);
    /* The arrays begin 1536 and 3072 bytes apart modulo a page. */
    char *memory = (char *)pages(8 * 4096);
    struct sample *antenna = (struct sample *)memory, *oscillator = (struct sample *)(memory + 2 * 4096 + 1536 + 64),
                  *base_band = (struct sample *)(memory + 5 * 4096 + 1024);
    for (int i = 0; i < SAMPLES; i++) {
        antenna[i] = (struct sample){(float)(i % 31), (float)(i % 17)};
        oscillator[i] = (struct sample){0.01F * (float)(i % 13), 0.02F * (float)(i % 11)};
    }
    for (long pass = 0; pass < passes; pass++) {
        mix(antenna, oscillator, base_band);
        OPAQUE(base_band);
    }
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++)
        sum += (double)base_band[i].re + (double)base_band[i].im;
    print_double(sum);
}
