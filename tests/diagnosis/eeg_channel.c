/* eeg_channel [KiB] - mean and power of single channels of a recording: 32 interleaved channels of 16 bits. */
#include "start.h"

enum { CHANNELS = 32 };

struct frame {
    int16_t channel[CHANNELS];
};

int main(int argc, char **argv) {
    size_t n = (size_t)argument(argc, argv, 1, 40960) * 1024 / sizeof(struct frame);
    struct frame *frames = (struct frame *)pages(n * sizeof *frames);
    longs *words = (longs *)(void *)frames,
          word = {0x1000200030004, 0x2000300040005, 0x3000400050006, 0x7fff000100020003};
    for (size_t i = 0; i < n; i++)
        words[2 * i] = words[2 * i + 1] = word;
    int64_t sum = 0, power = 0, sum2 = 0, power2 = 0;
    for (int sweep = 0; sweep < 6; sweep++) {
        int channel = sweep * 5;
        for (size_t i = 0; i < n; i += 2) {
            int64_t a = frames[i].channel[channel], b = frames[i + 1].channel[channel];
            sum += a;
            sum2 += b;
            power += a * a;
            power2 += b * b;
        }
        OPAQUE(frames);
    }
    print_integer((uint64_t)(sum + sum2 + power + power2));
}
