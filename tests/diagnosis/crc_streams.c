/* crc_streams [passes] - four CRC-32 sums side by side, over 1 KiB each, with the common table of 256 words. */
#include "start.h"

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 600);
    static uint32_t table[256];
    static uint8_t data[4][1024];
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = (table[i] >> 1) ^ (0xedb88320u & -(table[i] & 1));
    }
    for (int i = 0; i < 4096; i++)
        data[i / 1024][i % 1024] = (uint8_t)(i * 7);
    uint32_t a = ~0u, b = ~0u, c = ~0u, d = ~0u;
    for (long pass = 0; pass < passes; pass++)
        for (int i = 0; i < 1024; i++) {
            a = table[(a ^ data[0][i]) & 255] ^ (a >> 8);
            b = table[(b ^ data[1][i]) & 255] ^ (b >> 8);
            c = table[(c ^ data[2][i]) & 255] ^ (c >> 8);
            d = table[(d ^ data[3][i]) & 255] ^ (d >> 8);
        }
    print_integer(a ^ b ^ c ^ d);
}
