/* standard.c - checks standard output once, for all commands. SPDX-License-Identifier: GPL-3.0-or-later */
#include "standard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/* A handler, not SIG_IGN: commands that are started do not inherit it. */
static void let_write_fail(int signal_number) {
    (void)signal_number;
}

void standard_prepare(void) {
    for (int stream = 0; stream <= 2; stream++) {
        /* the lowest free descriptor is this one; open the other way round, so that using it fails */
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_USAGE);
    }
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = let_write_fail}, NULL);
}

int standard_finish(const char *command, int status) {
    int failed = ferror(stdout), why = 0;
    if (failed && write(STDOUT_FILENO, "\n", 1) < 0) /* why an earlier write failed is known no more */
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
