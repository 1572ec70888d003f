/* assemble.c - assembles kernels for the system tests. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * assemble FOLDER X.ptt...: prints a line per kernel: object, elements of a pass, instructions of a pass, and
 * instructions around the passes of a sweep. */
#include <limits.h>
#include <stdio.h>

#include "validate/kernel/assemble.h"
#include "validate/kernel/check.h"

static int assemble(const char *folder, const char *path, struct error *error) {
    struct ptt ptt;
    char object[PATH_MAX];
    struct kernel_counts counts;
    if (ptt_read(&ptt, path, error) != 0)
        return -1;
    int status = kernel_assemble(&ptt, folder, object, sizeof object, error);
    if (status == 0)
        status = kernel_count(object, path, &counts, error);
    if (status == 0)
        status = kernel_check(&ptt, &counts, error);
    if (status == 0)
        printf("%s %u %u %u\n", object, counts.elements, counts.pass.instructions,
               counts.sweep.instructions + counts.constant.instructions);
    ptt_free(&ptt);
    return status;
}

int main(int argc, char *argv[]) {
    struct error error;
    for (int i = 2; i < argc; i++) {
        if (assemble(argv[1], argv[i], &error) != 0) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
    }
    return 0;
}
