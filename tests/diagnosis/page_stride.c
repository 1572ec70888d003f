/* page_stride [pages] - reads one line of each of 8192 pages, at varying offsets: the lines fit in a cache, the pages
 * in no TLB. */
#include "start.h"
#include <sys/mman.h>

int main(int argc, char **argv) {
    size_t n = (size_t)argument(argc, argv, 1, 8192);
    char *memory = (char *)mmap(NULL, n * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 2;
    madvise(memory, n * 4096, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < n; i++)
        *(int64_t *)(void *)(memory + i * (4096 + 64) % (n * 4096)) = (int64_t)i;
    int64_t even = 0, odd = 0;
    for (int sweep = 0; sweep < 250; sweep++) {
        const char *at = memory, *end = memory + n / 64 * (64 * 4096);
        for (; at < end; at += 64 * 4096)
            for (int i = 0; i < 64; i += 2) {
                even += *(const int64_t *)(const void *)(at + i * (4096 + 64) % (64 * 4096));
                odd += *(const int64_t *)(const void *)(at + (i + 1) * (4096 + 64) % (64 * 4096));
            }
        OPAQUE(memory);
    }
    print_integer((uint64_t)(even + odd));
}
