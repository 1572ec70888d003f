/* program_pages.c - unit tests of memory in large pages. SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <sys/mman.h>

#include "patterns/program/pages.h"

/* Whole large pages of zeros, all of which are unmapped again; nothing behind them was mapped. */
TEST(whole_large_pages) {
    static const size_t sizes[] = {1, LARGE_PAGE_BYTES, 3 * LARGE_PAGE_BYTES + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t whole = (sizes[i] + LARGE_PAGE_BYTES - 1) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
        char *memory = pages_map(sizes[i]);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % LARGE_PAGE_BYTES, 0);
        assert_int_equal(memory[0] | memory[whole - 1], 0);
        memory[whole - 1] = 1;
        pages_unmap(memory, sizes[i]);
        for (size_t at = 0; at < whole; at += LARGE_PAGE_BYTES)
            assert_int_equal(msync(memory + at, 4096, MS_ASYNC), -1);
    }
}

TEST(too_much) {
    assert_null(pages_map(SIZE_MAX / 4));
}
