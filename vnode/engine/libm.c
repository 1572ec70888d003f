/* libm.c - the functions of libm that vnode/pmu/fault.c calls; a tool has no libm. By instructions of the x87, whose
 * logarithm and cosine are as exact as libm's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

double sqrt(double x) {
    __asm__("sqrtsd %0, %0" : "+x"(x));
    return x;
}

double log(double x) {
    __asm__("fldln2\n fxch\n fyl2x" : "+t"(x));
    return x;
}

double cos(double x) {
    __asm__("fcos" : "+t"(x));
    return x;
}

/* The angle whose tangent is sqrt(1 - x^2) / x. */
double acos(double x) {
    double result = sqrt(1 - x * x);
    __asm__("fpatan" : "=t"(result) : "0"(x), "u"(result) : "st(1)");
    return result;
}

double fmax(double a, double b) {
    return a > b ? a : b;
}

/* x is not negative. */
double round(double x) {
    const double whole = 4503599627370496.0; /* 2^52: larger numbers have no fractions */
    if (x >= whole)
        return x;
    double cut = (double)(unsigned long long)x;
    return x - cut >= 0.5 ? cut + 1 : cut;
}

double ldexp(double x, int exponent) {
    for (; exponent > 0; exponent--)
        x *= 2;
    for (; exponent < 0; exponent++)
        x /= 2;
    return x;
}

double fmod(double x, double y) {
    unsigned short status;
    do
        __asm__("fprem\n fnstsw %%ax" : "+t"(x), "=a"(status) : "u"(y));
    while (status & 0x400); /* C2: incomplete */
    return x;
}
