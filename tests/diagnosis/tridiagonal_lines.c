/* tridiagonal_lines [passes] - solves four symmetric tridiagonal systems of 256 rows with known factors: forwards, then
 * backwards. */
#include "start.h"

enum { ROWS = 256 };

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 8000);
    /* Half a page between solution and right side: no load has the page offset of a recent store. */
    doubles *solution = (doubles *)pages((3 * ROWS + 64) * sizeof(doubles)), *right = solution + ROWS + 64;
    doubles *factor = right + ROWS, last = {0, 0, 0, 0};
    for (int i = 0; i < ROWS; i++) {
        right[i] = (doubles){1, 2, 3, 4} * (double)(i % 5);
        factor[i] = (doubles){-0.3, -0.4, 0.2, 0.1};
    }
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < ROWS; i++) {
            last = right[i] - factor[i] * last;
            solution[i] = last;
        }
        for (int i = ROWS - 1; i >= 0; i--) {
            last = solution[i] - factor[i] * last;
            solution[i] = last;
        }
        OPAQUE(solution);
    }
    print_double(sum_of(solution[0] + solution[ROWS / 2]));
}
