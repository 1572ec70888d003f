// adc_peaks [thousand packets] - highest samples of waveforms of 16 samples; a file header of 12 bytes shifts all
// packets of 64 bytes.
#include "start.h"

typedef int16_t samples __attribute__((vector_size(32), aligned(4), may_alias));

constexpr long PACKETS = 256, FILE_HEADER = 12, PACKET_HEADER = 32;

static void raise(samples &peak, const char *packet) {
    samples wave = *reinterpret_cast<const samples *>(packet + FILE_HEADER + PACKET_HEADER);
    peak = peak > wave ? peak : wave;
}

int main(int argc, char **argv) {
    long packets = argument(argc, argv, 1, 16000) * 1000;
    char *file = static_cast<char *>(pages(64 * (PACKETS + 1)));
    for (int i = 0; i < 64 * (PACKETS + 1); i++)
        file[i] = char(i * 7 % 121);
    OPAQUE(file);
    samples a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
    for (long i = 0; i < packets; i += 8) {
        const char *packet = file + i % PACKETS * 64;
        raise(a, packet);
        raise(b, packet + 64);
        raise(c, packet + 128);
        raise(d, packet + 192);
        raise(e, packet + 256);
        raise(f, packet + 320);
        raise(g, packet + 384);
        raise(h, packet + 448);
    }
    a = a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19;
    print_integer(uint64_t(uint16_t(a[0] + a[5] + a[15])));
}
