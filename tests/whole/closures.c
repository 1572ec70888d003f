/* closures.c - closures N: calls a function N times that libffi has made at run time. Each call stores into another
 * line of an array of 2^14 lines. SPDX-License-Identifier: GPL-3.0-or-later */
#include <ffi.h>
#include <stdlib.h>

enum { LINES = 1 << 14 };

static struct { _Alignas(64) long number; } lines[LINES];

static void store(ffi_cif *cif, void *result, void **arguments, void *value) {
    (void)cif;
    lines[*(long *)arguments[0]].number += *(long *)value;
    *(ffi_arg *)result = 0;
}

int main(int count, char **words) {
    long calls = count > 1 ? atol(words[1]) : 0, value = 1;
    void *code;
    ffi_cif cif;
    ffi_type *types[] = {&ffi_type_slong};
    ffi_closure *closure = ffi_closure_alloc(sizeof *closure, &code);
    if (!closure || ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 1, &ffi_type_sint, types) != FFI_OK ||
        ffi_prep_closure_loc(closure, &cif, store, &value, code) != FFI_OK)
        return 1;
    for (long i = 0; i < calls; i++)
        ((int (*)(long))code)(i % LINES);
    ffi_closure_free(closure);
    return 0;
}
