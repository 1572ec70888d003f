/* fma_registers [thousand passes] - twelve independent chains of vector FMAs in registers; nothing is loaded. */
#include "start.h"

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 1000) * 1000;
    doubles x[12], factor = {0.5, 0.5, 0.5, 0.5}, addend = {1, 2, 3, 4};
    for (int i = 0; i < 12; i++)
        x[i] = addend * (double)i;
    doubles a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6], h = x[7], k = x[8], l = x[9];
    doubles m = x[10], n = x[11];
    for (long i = 0; i < passes; i++) {
        a = a * factor + addend;
        b = b * factor + addend;
        c = c * factor + addend;
        d = d * factor + addend;
        e = e * factor + addend;
        f = f * factor + addend;
        g = g * factor + addend;
        h = h * factor + addend;
        k = k * factor + addend;
        l = l * factor + addend;
        m = m * factor + addend;
        n = n * factor + addend;
    }
    print_double(sum_of(a + b + c + d + e + f + g + h + k + l + m + n));
}
