/* symbols.c - function symbols of ELF files, as read for sampled programs. Each function found has a name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/host/symbols.h"

#include <string.h>

#include "fuzz.h"

const char fuzz_name[] = "symbols";
const unsigned fuzz_inputs = 10000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct symbols *symbols = symbols_read(fuzz_file(data, size));
    if (!symbols)
        return 0;
    for (uint64_t offset = 0; offset < size; offset++) {
        const char *name = symbols_find(symbols, offset);
        FUZZ_CHECK(!name || strlen(name) < size, "a name that is longer than the file");
    }
    symbols_free(symbols);
    fuzz_accept();
    return 0;
}
