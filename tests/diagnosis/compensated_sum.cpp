// compensated_sum [passes] - Kahan's sum of 8 KiB in L1: a chain of four additions for each vector.
#include "start.h"

constexpr int VECTORS = 256;

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 5000);
    doubles *a = static_cast<doubles *>(pages(VECTORS * sizeof *a));
    for (int i = 0; i < VECTORS; i++)
        a[i] = doubles{1e-9, 1e-8, 1e-7, 1e-6} * double(i);
    doubles sum{1, 1, 1, 1}, lost{};
    for (long pass = 0; pass < passes; pass++) {
        for (int i = 0; i < VECTORS; i++) {
            doubles value = a[i] - lost, next = sum + value;
            lost = (next - sum) - value;
            sum = next;
        }
        OPAQUE(a);
    }
    print_double(sum_of(sum));
}
