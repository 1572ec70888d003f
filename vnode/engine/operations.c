/* operations.c - does by instructions of the host what VEX calculates in C: fused multiply-adds, in which numerical
 * programs would spend most of their time, and the signs of bytes, by which libraries search strings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "core_api.h"
#include "engine.h"

Bool operations_host_fuses(void) {
    enum { FEATURES = 1, FMA = 1 << 12, OSXSAVE = 1 << 27, AVX = 1 << 28 };
    UInt a = FEATURES, b, c = 0, d;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return (c & (FMA | OSXSAVE | AVX)) == (FMA | OSXSAVE | AVX);
}

/* Bit n: the sign of byte n. */
UInt SIGNS_REPLACED(ULong high, ULong low) {
    typedef ULong pair __attribute__((vector_size(16)));
    UInt signs;
    __asm__("pmovmskb %1, %0" : "=r"(signs) : "x"((pair){low, high}));
    return signs;
}

/* x * y + z, rounded once, to the nearest. */
void FUSED_WRAPPER(Double *result, Double *x, Double *y, Double *z) {
    if (!engine.host_fuses) {
        FUSED_WRAPPED(result, x, y, z);
        return;
    }
    Double value = *x;
    __asm__("vfmadd213sd %2, %1, %0" : "+x"(value) : "x"(*y), "m"(*z));
    *result = value;
}

void FUSED_SINGLE_WRAPPER(Float *result, Float *x, Float *y, Float *z) {
    if (!engine.host_fuses) {
        FUSED_SINGLE_WRAPPED(result, x, y, z);
        return;
    }
    Float value = *x;
    __asm__("vfmadd213ss %2, %1, %0" : "+x"(value) : "x"(*y), "m"(*z));
    *result = value;
}
