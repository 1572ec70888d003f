// alias_queue [passes] - appends to one queue while reading another, 4 KiB apart: the reader is one entry ahead.
#include "start.h"

struct queue {
    int64_t entries[512];
};

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 5000);
    queue *in = static_cast<queue *>(pages(2 * sizeof(queue))), *out = in + 1;
    for (int i = 0; i < 512; i++)
        in->entries[i] = i;
    int64_t sum = 0;
    for (long pass = 0; pass < passes; pass++)
        for (int i = 0; i < 511; i++) {
            out->entries[i + 1] = pass;
            OPAQUE(out);
            sum += in->entries[i + 1];
        }
    print_integer(uint64_t(sum + out->entries[300]));
}
