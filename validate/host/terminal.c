/* terminal.c - colours of tables on stdout. SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int terminal_wants_colour(void) {
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_colour != NULL && no_colour[0] != '\0')
        return 0;
    return isatty(STDOUT_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}
