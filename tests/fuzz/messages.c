/* messages.c - messages of compilers, assemblers and linkers about a wrong kernel; complain() shows one of their lines.
 * The input is the compiler's standard error. Includes assemble.c to reach its static complain().
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
    FUZZ_CHECK(complain(&ptt, "gcc", &process, &error) == -1, "complain() returned success");
    fuzz_check_names(error.text, "kernels/x.ptt:");
    if (error.text[strlen("kernels/x.ptt:")] != ' ') /* the message names a line of the kernel */
        fuzz_accept();
    free(text);
    return 0;
}
