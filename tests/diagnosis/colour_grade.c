/* colour_grade [threads] [rows] - gain and offset on a frame of single-precision rows of 4 KiB; each thread has a band
 * of rows; the decoder, thread 0, has put a number in each row. */
#include "start.h"

typedef float floats __attribute__((vector_size(32)));
enum { VECTORS = 128 };
struct row {
    floats pixels[VECTORS];
};

static long rows;
static struct row *frame;

static void grade(int thread, int threads) {
    struct row *first = frame + rows * thread / threads, *last = frame + rows * (thread + 1) / threads;
    floats gain = {.5f, .25f, .5f, .25f, .5f, .25f, .5f, .25f}, offset = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int sweep = 0; sweep < 4; sweep++)
        for (struct row *row = first; row < last; row++) {
            for (int i = 0; i < VECTORS; i += 2) {
                row->pixels[i] = row->pixels[i] * gain + offset;
                row->pixels[i + 1] = row->pixels[i + 1] * gain + offset;
            }
            OPAQUE(row);
        }
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    rows = argument(argc, argv, 2, 24576);
    frame = (struct row *)pages((size_t)rows * sizeof *frame);
    for (long i = 0; i < rows; i++)
        frame[i].pixels[0][0] = (float)i;
    in_threads((int)threads, grade);
    print_double(frame[rows - 1].pixels[0][0] + frame[rows / 2].pixels[0][0]);
}
