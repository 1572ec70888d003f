/* shim_cpuid.c - unit tests of the node's answer to CPUID leaf 0x80000022 in LIKWID's native tools.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "vnode/shim/shim.h"

enum { CHANNELS = 12 };

static struct shim node = {.active = 1,
                           .config = {.numa_per_socket = 1, .channels = CHANNELS},
                           .perfmon2 = {.core = 6, .fabric = 16, .channel = 4}};
static const char *library;

const struct shim *shim(void) {
    return &node;
}

const char *likwid_library_at(void *address) {
    (void)address;
    return library;
}

/* As LIKWID's compiler arranges it: other instructions between the leaf's number and CPUID. */
static void ask(uint32_t out[4]) {
    __asm__ volatile("mov $0x80000022, %%eax\n\txor %%ecx, %%ecx\n\tnop\n\tcpuid"
                     : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]));
}

TEST(a_tool_gets_the_counters_of_the_nodes_channels_once_likwid_opens_a_file) {
    uint32_t host[4], words[4];
    ask(host);
    native_cpuid_answer((void *)ask); // NOLINT: the code's address
    ask(words);
    assert_memory_equal(host, words, sizeof words); /* another library has opened a file */
    library = "liblikwid.so";
    native_cpuid_answer((void *)ask); // NOLINT: the code's address
    ask(words);
    assert_int_equal(words[0], 1);
    assert_int_equal(words[1] & 0xf, 6);
    assert_int_equal(words[1] >> 10 & 0x3f, 16);
    assert_int_equal(words[1] >> 16, 4 * CHANNELS);
    assert_int_equal(words[2], (1 << CHANNELS) - 1);
}
