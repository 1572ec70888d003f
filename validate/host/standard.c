/* standard.c - checks standard output once, for all commands. SPDX-License-Identifier: GPL-3.0-or-later */
#include "standard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

int standard_finish(const char *command, int status) {
    int failed = ferror(stdout), why = 0;
    if (failed && write(STDOUT_FILENO, "\n", 1) < 0) /* retried: errno of the failed write is lost */
        why = errno;
    if (fclose(stdout) != 0) {
        failed = 1;
        why = errno;
    }
    if (!failed || status == EXIT_USAGE)
        return status;
    fprintf(stderr, "assay %s: standard output: %s; what was printed is not whole\n", command,
            why != 0 ? strerror(why) : "cannot write");
    return EXIT_USAGE;
}
