/* wait.h - waiting for a program that is sampled. */
#ifndef ASSAY_SAMPLING_WAIT_H
#define ASSAY_SAMPLING_WAIT_H

#include "validate/host/process.h"

/* Returns when the process, which has been started, has ended; it is killed when its time is up, or when this program
 * is asked to stop (stop.h). */
void wait_for_end(struct process *process);

#endif
