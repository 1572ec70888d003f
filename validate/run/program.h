/* program.h - runs of a program of the user's: any command, whole or its marked regions, alone or as ranks of MPI.
 *
 * A job of program/plan/program.lua: { "command": words, "marker": bool, "ranks": [ { "cpus": [..], "is_beside": bool }
 * .. ], "launcher": words of MPI's starter | absent }. Each rank has a likwid-perfctr of its own; one "is_beside"
 * shares its socket with another one, which counts what both share: it takes the run's group `beside`. */
#ifndef ASSAY_PROGRAM_H
#define ASSAY_PROGRAM_H

#include "types.h"
#include "words.h"

/* Whether the run's job is of this kind. */
int program_is(const struct run *run);

/* The whole command. */
void program_line(struct words *words, const struct run *run, const struct run_context *context);

/* The environment of the command: `theirs`, in which a starter of MPI binds nothing, as likwid-perfctr does that. A new
 * list that borrows its texts. */
char **program_environment(const struct run *run, char **theirs);

/* Whether there is such a program to execute: 0, or -1 and the reason. */
int program_check(const char *program, struct error *error);

/* Files of the run: the group that ranks next to others take, in `groups`, if the run has one, the command's words, if
 * LIKWID would take them apart, and the ranks' commands. */
int program_stage(const struct run *run, const struct run_context *context, const char *groups, struct error *error);

/* What the ranks counted: an array of csv_read()'s. NULL and the reason, to be freed. */
json_t *program_read(const struct run *run, char **why);

/* Whether a command runs into the Marker API: its program, found as execvp() does, has the API's name in it. */
int program_is_marked(const char *program);

#endif
