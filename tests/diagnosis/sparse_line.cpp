// sparse_line [KiB] - adds 1 to every sixteenth of an array of 4-byte integers: one in each line.
#include "start.h"
#include <vector>

int main(int argc, char **argv) {
    std::vector<int32_t> a(size_t(argument(argc, argv, 1, 1536)) * 256, 1);
    int32_t *data = a.data();
    for (int sweep = 0; sweep < 100; sweep++) {
        for (size_t i = 0; i < a.size(); i += 16)
            data[i] += sweep;
        OPAQUE(data);
    }
    print_integer(uint64_t(a[0] + a[a.size() - 16]));
}
