/* channels.c CHANNELS MEGABYTES PASSES - reads one word of every CHANNELS-th line of MEGABYTES of memory, PASSES times:
 * in region "channel_0" those of the first of CHANNELS lines, in "channel_1" those of the second, and so on. Where
 * lines go to memory channels in turn, a region keeps one channel busy and the others idle. Nothing is written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64 };

int main(int argc, char **argv) {
    size_t channels = argc > 3 ? strtoul(argv[1], NULL, 10) : 8;
    size_t lines = (argc > 3 ? strtoul(argv[2], NULL, 10) : 256) * (1 << 20) / LINE;
    long passes = argc > 3 ? atol(argv[3]) : 24;
    const volatile char *memory = mmap(NULL, lines * LINE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || channels == 0)
        return 1;
    LIKWID_MARKER_INIT;
    for (size_t channel = 0; channel < channels; channel++) {
        char name[32];
        snprintf(name, sizeof name, "channel_%zu", channel);
        LIKWID_MARKER_START(name);
        for (long pass = 0; pass < passes; pass++)
            for (size_t line = channel; line < lines; line += channels)
                (void)memory[line * LINE];
        LIKWID_MARKER_STOP(name);
    }
    LIKWID_MARKER_CLOSE;
    return 0;
}
