/* program.h - runs of a user's program: any command, whole or only its marked regions, alone or as MPI ranks.
 *
 * A job from program/plan/program.lua: { "command": words, "marker": bool, "ranks": [ { "cpus": [..], "is_beside": bool
 * } .. ], "launcher": words of the MPI launcher, or absent, "threads": value of OMP_NUM_THREADS, or absent }. Each rank
 * has its own likwid-perfctr. If several ranks share a socket, one counts the shared events; the others have
 * "is_beside" and use the run's group `beside`. */
#ifndef ASSAY_PROGRAM_H
#define ASSAY_PROGRAM_H

#include "types.h"
#include "words.h"

/* Whether the run executes a user's program. */
int program_is(const struct run *run);

/* Appends the whole command line of the run. */
void program_line(struct words *words, const struct run *run, const struct run_context *context);

struct program_variables {
    char threads[32], turn[32];
};

/* The command's environment: `theirs`, with the job's number of threads and the run's turn, plus variables that turn
 * off binding by the MPI launcher, because likwid-perfctr binds. A new list that borrows its texts, some from `own`. */
char **program_environment(const struct run *run, char **theirs, struct program_variables *own);

/* Checks that the program can be executed: 0, or -1 with the reason. */
int program_check(const char *program, struct error *error);

/* Writes the run's files: the group `beside` to the folder `groups` if the run has one, the command's words if LIKWID
 * would split them, and the ranks' commands. */
int program_stage(const struct run *run, const struct run_context *context, const char *groups, struct error *error);

/* The counts of the ranks: an array of csv_read() results. NULL with the reason in `*why`, freed by the caller. */
json_t *program_read(const struct run *run, char **why);

/* Whether a program, searched like execvp(), uses the Marker API: its file contains the name of an API function. */
int program_is_marked(const char *program);

#endif
