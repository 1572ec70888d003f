/* messages.c - what compilers, assemblers and linkers say when a kernel is wrong: one line of it is shown. The input is
 * the compiler's standard error; its choice of line is not to be had without running it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/assemble.c"

#include "fuzz.h"

const char fuzz_name[] = "messages";
const unsigned fuzz_inputs = 60000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ptt ptt = {.path = (char *)"kernels/x.ptt"};
    struct error error = {""};
    char *text = fuzz_text(data, size);
    struct process process = {.status = 1, .messages = text, .timed_out = size % 7 == 0};
    FUZZ_CHECK(complain(&ptt, "gcc", &process, &error) == -1, "no failure");
    fuzz_check_names(error.text, "kernels/x.ptt:");
    if (error.text[strlen("kernels/x.ptt:")] != ' ') /* a line of the kernel, not only the kernel */
        fuzz_accept();
    free(text);
    return 0;
}
