/* process.h - runs one command in its own process group, environment and folder, with a time limit, and captures its
 * output. */
#ifndef ASSAY_PROCESS_H
#define ASSAY_PROCESS_H

#include <sys/types.h>
#include <time.h>

#include "error.h"

/* Limit of a process's stdout in bytes; a process that prints more is killed. Runs print some lines and LIKWID's
 * tables, under 100 kB in all. */
enum { PROCESS_OUTPUT_MOST = 4 << 20 };

struct process {
    pid_t pid;    /* 0 when ended */
    int out, err; /* read ends of its pipes, -1 when closed */
    struct timespec deadline;
    double limit;        /* seconds */
    int is_simulated;    /* set by the caller: see process_wait_any() */
    double waited, used; /* seconds up to the deadline, since it was last put off; processor time at that moment */
    int status;          /* exit status, 128 + signal, 124 after a timeout, 125 after too much output */
    int timed_out;
    int flooded;    /* printed more than PROCESS_OUTPUT_MOST */
    int is_ignored; /* set by the caller: stdout of any length is discarded */
    double seconds;
    double cpu_seconds;   /* processor time of the process and of the children it waited for */
    int context_switches; /* involuntary ones of the same processes */
    struct timespec started;
    char *output; /* all of stdout, at most PROCESS_OUTPUT_MOST, NUL-terminated; freed by process_free() */
    size_t output_length;
    char *messages; /* all of stderr, at most its last 64 KiB */
    size_t messages_length;
};

/* Starts argv (searched in the PATH of `environment`) in `folder` (NULL: the current one); `seconds` is the time limit.
 * stdin is /dev/null. The child is killed when this process ends. Returns 0, or -1 with the reason. */
int process_start(struct process *process, char *const argv[], char *const environment[], const char *folder,
                  double seconds, struct error *error);

/* Waits at most `milliseconds` for output or the end of any of the `count` processes (ended ones have pid 0) and reads
 * the output. Processes past their deadline are killed with their group. A simulated processor gets as much of the host
 * as others leave: its time limit is of processor time, as long as the group uses some. Returns the number that ended.
 */
int process_wait_any(struct process *const processes[], size_t count, int milliseconds);

/* Wait until the process has ended. process_wait_or_stop() kills it when this program is asked to stop (stop.h). */
void process_wait(struct process *process);
void process_wait_or_stop(struct process *process);

/* Kills the process group and waits for it. */
void process_kill(struct process *process);

void process_free(struct process *process);

#endif
