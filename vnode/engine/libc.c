/* libc.c - what vnode/pmu's code needs of a C library.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"

int strcmp(const char *one, const char *other);

int strcmp(const char *one, const char *other) {
    return VG_(strcmp)(one, other);
}
