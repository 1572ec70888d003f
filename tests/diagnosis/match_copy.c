/* match_copy [passes] - expands matches of an LZ77 decoder at a distance of 12 bytes, 8 bytes at a time. */
#include "start.h"
#include <string.h>

enum { LENGTH = 4096, DISTANCE = 12 };

static void expand(char *out) {
    for (int done = 0; done < LENGTH; done += 8) {
        uint64_t piece;
        memcpy(&piece, out + done - DISTANCE, sizeof piece);
        memcpy(out + done, &piece, sizeof piece);
        OPAQUE(out);
    }
}

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 8000);
    char *window = (char *)pages(3 * 4096);
    memset(window, 'x', 64);
    uint64_t sum = 0;
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < DISTANCE; i++)
            window[64 - DISTANCE + i] = (char)('a' + (pass + i) % 23);
        expand(window + 64);
        sum += (uint64_t)(unsigned char)window[64 + LENGTH - 1];
    }
    print_integer(sum);
}
