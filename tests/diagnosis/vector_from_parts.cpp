// vector_from_parts [thousand vectors] - writes four doubles one by one and reads them as one vector: no forwarding.
#include "start.h"

int main(int argc, char **argv) {
    long vectors = argument(argc, argv, 1, 1200) * 1000;
    alignas(32) static double parts[4];
    doubles sum{}, one{1, 1, 1, 1};
    for (long i = 0; i < vectors; i++) {
        volatile double *part = parts;
        double value = sum[0];
        part[0] = value;
        part[1] = value;
        part[2] = value;
        part[3] = value;
        double *all = parts;
        OPAQUE(all);
        sum = *reinterpret_cast<doubles *>(all) + one;
    }
    print_double(sum_of(sum));
}
