/* wait.c - waits for one process. SPDX-License-Identifier: GPL-3.0-or-later */
#include "wait.h"

#include "validate/host/stop.h"

enum { GLANCE_MILLISECONDS = 1000 };

void wait_for_end(struct process *process) {
    struct process *const all[] = {process};
    while (process->pid != 0) {
        process_wait_any(all, 1, GLANCE_MILLISECONDS);
        if (stop_is_asked())
            process_kill(process);
    }
}
