/* likwid_access.c - prints the access mode of the installed LIKWID, from its library: "perf_event", "direct" or
 * "accessdaemon PATH". LIKWID searches for the daemon in PATH, its configuration file and its prefix.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid.h>
#include <stdio.h>

int main(void) {
    Configuration_t found = init_configuration() == 0 ? get_configuration() : NULL;
    if (found == NULL)
        return 1;
    if (found->daemonMode == ACCESSMODE_DAEMON)
        printf("accessdaemon %s\n", found->daemonPath != NULL ? found->daemonPath : "");
    else
        puts(found->daemonMode == ACCESSMODE_PERF ? "perf_event" : "direct");
    return 0;
}
