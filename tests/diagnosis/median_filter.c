/* median_filter [passes] - median of 3 x 3 pixels of a noisy image of 64 x 64 bytes, by insertion. */
#include "start.h"

enum { SIZE = 64 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 24);
    static const int places[9] = {-SIZE - 1, -SIZE, -SIZE + 1, -1, 0, 1, SIZE - 1, SIZE, SIZE + 1};
    static uint8_t image[SIZE * SIZE], smooth[SIZE * SIZE];
    uint64_t state = 1, sum = 0;
    for (int i = 0; i < SIZE * SIZE; i++)
        image[i] = (uint8_t)(next_random(&state) >> 20);
    for (long pass = 0; pass < passes; pass++) {
        for (int centre = SIZE + 1; centre < SIZE * (SIZE - 1) - 1; centre++) {
            int window[9];
            for (int k = 0; k < 9; k++) {
                int pixel = image[centre + places[k]], at = k;
                for (; at > 0 && window[at - 1] > pixel; at--)
                    window[at] = window[at - 1];
                window[at] = pixel;
            }
            smooth[centre] = (uint8_t)window[4];
        }
        sum += smooth[SIZE + 1 + pass * 100 % 3900];
    }
    print_integer(sum);
}
