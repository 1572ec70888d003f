/* processor.c - from CPUID: the number of counters of a core, and whether a hypervisor runs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "processor.h"

#include <cpuid.h>

/* Bits: AMD's extended core counters (leaf 0x80000001, ECX), six of them; hypervisor (leaf 1, ECX). */
enum { AMD_CORE_COUNTERS = 23, AMD_COUNTERS = 6, HYPERVISOR = 31 };

/* Architectural performance monitoring, leaf 0xA: version in bits 0-7 of EAX, counters in bits 8-15. */
static int intel_counters(void) {
    unsigned eax = 0, ebx, ecx, edx;
    if (!__get_cpuid_count(0xa, 0, &eax, &ebx, &ecx, &edx) || (eax & 0xff) == 0)
        return 0;
    return (int)(eax >> 8 & 0xff);
}

static int amd_counters(void) {
    unsigned eax, ebx, ecx = 0, edx;
    return __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) && ecx >> AMD_CORE_COUNTERS & 1 ? AMD_COUNTERS : 0;
}

int processor_counters(void) {
    unsigned eax, vendor = 0, ecx, edx;
    __get_cpuid(0, &eax, &vendor, &ecx, &edx);
    return vendor == signature_INTEL_ebx ? intel_counters() : vendor == signature_AMD_ebx ? amd_counters() : 0;
}

int processor_is_virtual(void) {
    unsigned eax, ebx, ecx = 0, edx;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && ecx >> HYPERVISOR & 1;
}
