/* mixed_sse [thousand passes] - AVX and legacy SSE instructions in turn with dirty upper halves: a transition at each
 * change. */
#include "start.h"

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 700) * 1000;
    doubles sum = {0, 0, 0, 0}, other = sum, one = {1, 1, 1, 1};
    for (long i = 0; i < passes; i++) {
        __asm__ volatile("vaddpd %2, %0, %0\n\t"
                         "addpd %x2, %x1\n\t"
                         "vaddpd %2, %0, %0\n\t"
                         "addpd %x2, %x1"
                         : "+x"(sum), "+x"(other)
                         : "x"(one));
    }
    print_double(sum_of(sum) + other[0]);
}
