/* redirect.h - other functions for those that one library calls (redirect.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_REDIRECT_H
#define ASSAY_SHIM_REDIRECT_H

struct redirected {
    const char *name; /* NULL: the list's end */
    void *function;
};

/* Lets the library that has the address `caller` call these functions instead of those with their names; other
 * libraries are not affected. A name that it does not call is skipped. */
void redirect(void *caller, const struct redirected *calls);

#endif
