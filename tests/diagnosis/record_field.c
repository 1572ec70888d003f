/* record_field [KiB] - adds up one field of 8 bytes in records of 64 bytes. */
#include "start.h"

struct record {
    int64_t key, value, rest[6];
};

int main(int argc, char **argv) {
    size_t n = (size_t)argument(argc, argv, 1, 32768) * 1024 / sizeof(struct record);
    struct record *records = (struct record *)pages(n * sizeof *records);
    for (size_t i = 0; i < n; i++)
        records[i] = (struct record){(int64_t)i, (int64_t)i * 3, {0}};
    int64_t even = 0, odd = 0;
    for (int sweep = 0; sweep < 8; sweep++) {
        for (size_t i = 0; i < n; i += 2) {
            even += records[i].value;
            odd += records[i + 1].value;
        }
        OPAQUE(records);
    }
    print_integer((uint64_t)(even + odd));
}
