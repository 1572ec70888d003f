/* program.c - likwid-perfctr with a user's program. SPDX-License-Identifier: GPL-3.0-or-later */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/host/plain_json.h"
#include "validate/host/search.h"
#include "validate/host/text.h"
#include "validate/likwid/csv.h"
#include "vnode/command.h"

enum { BLOCK = 65536 };

/* The function that every marked program calls first. */
static const char first_call[] = "likwid_markerInit";

int program_is(const struct run *run) {
    return json_object_get(run->job, "command") != NULL;
}

static void add_all(struct words *words, char *const list[]) {
    for (; *list != NULL; list++)
        words_add(words, *list);
}

/* The file for the rank's counts. */
static void out_file(char file[PATH_MAX], const struct run *run, size_t rank) {
    if (snprintf(file, PATH_MAX, "%s/out.%zu.csv", run->folder, rank) >= PATH_MAX)
        file[0] = '\0'; /* opening "" fails */
}

/* Whether LIKWID, which splits a command at blanks, would change any of its words. */
static int has_blanks(char *const command[]) {
    for (; *command != NULL; command++) {
        if (**command == '\0' || strpbrk(*command, " \t\n") != NULL)
            return 1;
    }
    return 0;
}

/* The path of a file in the run's folder. */
static void own_file(char file[PATH_MAX], const struct run *run, const char *name) {
    if (snprintf(file, PATH_MAX, "%s/%s", run->folder, name) >= PATH_MAX)
        file[0] = '\0';
}

/* Adds a starter (validate/exec/), which executes another program, and the file with that program's command. */
static void add_starter(struct words *words, const struct run *run, const struct run_context *context,
                        const char *program, const char *name) {
    char file[PATH_MAX], tools[PATH_MAX], starter[PATH_MAX + 32];
    own_file(file, run, name);
    own_file(tools, run, RUN_TOOLS);
    snprintf(starter, sizeof starter, "%s/validate/%.15s",
             strchr(context->paths->tools, ' ') != NULL ? tools : context->paths->tools, program);
    words_add(words, starter);
    words_add(words, file);
}

/* Adds the command, or the starter that executes it. */
static void add_command(struct words *words, const struct run *run, const struct run_context *context) {
    if (has_blanks(context->command))
        add_starter(words, run, context, "exec_words", "words");
    else
        add_all(words, context->command);
}

/* Writes a word for the starters, with a terminating NUL. Nonzero if it cannot be written. */
static int put_word(const char *word, FILE *stream) {
    return fputs(word, stream) == EOF || fputc('\0', stream) == EOF;
}

/* Writes the program's file name and the words of the command. */
static int write_words(const struct run *run, char *const command[], struct error *error) {
    char file[PATH_MAX], program[PATH_MAX];
    own_file(file, run, "words");
    FILE *stream = search_program(command[0], program) == 0 ? fopen(file, "we") : NULL;
    int failed = stream == NULL || put_word(program, stream);
    for (; *command != NULL && !failed; command++)
        failed = put_word(*command, stream);
    if (stream != NULL && fclose(stream) != 0)
        failed = 1;
    return failed ? error_set(error, "%s: cannot write; free space in TMPDIR", file) : 0;
}

/* Adds: likwid-perfctr -C|-c CPUS -g GROUP [-m] -o FILE COMMAND; -c (no pinning) under MPI, where exec_rank.c binds. */
static void add_rank(struct words *words, const struct run *run, const struct run_context *context, const json_t *rank,
                     size_t number) {
    char file[PATH_MAX];
    char *cpus = words_list_released(node_likwid_cpus(context->node, json_object_get(rank, "cpus")));
    const json_t *beside = json_object_get(run->packed, "beside");
    int is_beside = beside != NULL && json_is_true(json_object_get(rank, "is_beside"));
    out_file(file, run, number);
    const char *const fixed[] = {context->likwid->perfctr,
                                 json_object_get(run->job, "launcher") != NULL ? "-c" : "-C",
                                 cpus,
                                 "-g",
                                 json_word(is_beside ? beside : run->packed, "name"),
                                 "-o",
                                 file};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        words_add(words, fixed[i]);
    if (json_is_true(json_object_get(run->job, "marker")))
        words_add(words, "-m");
    add_command(words, run, context);
    free(cpus);
}

/* Writes the command of each rank for validate/exec/exec_rank.c. */
static int write_ranks(const struct run *run, const struct run_context *context, struct error *error) {
    char file[PATH_MAX];
    size_t number;
    json_t *rank;
    own_file(file, run, "ranks");
    FILE *stream = fopen(file, "we");
    int failed = stream == NULL;
    json_array_foreach(json_object_get(run->job, "ranks"), number, rank) {
        struct words words = {0};
        char *cpus = words_list_numbers(json_object_get(rank, "cpus"));
        words_add(&words, cpus);
        free(cpus);
        add_rank(&words, run, context, rank, number);
        for (size_t i = 0; i < words.count && !failed; i++)
            failed = put_word(words.word[i], stream);
        failed = failed || put_word("", stream);
        words_free(&words);
    }
    if (stream != NULL && fclose(stream) != 0)
        failed = 1;
    return failed ? error_set(error, "%s: cannot write; free space in TMPDIR", file) : 0;
}

/* Not every MPI can start ranks with different commands: all ranks start the same one, which finds the rank's own. */
void program_line(struct words *words, const struct run *run, const struct run_context *context) {
    const json_t *launcher = json_object_get(run->job, "launcher"), *ranks = json_object_get(run->job, "ranks");
    if (launcher == NULL) {
        add_rank(words, run, context, json_array_get(ranks, 0), 0);
        return;
    }
    size_t index;
    json_t *word;
    json_array_foreach(launcher, index, word) words_add(words, json_string_value(word));
    words_add(words, "-n");
    words_add_number(words, (json_int_t)json_array_size(ranks));
    add_starter(words, run, context, "exec_rank", "ranks");
}

/* Turns off binding in Open MPI up to 4 and from 5 on (other MPIs do not bind), and its limit of one process per core,
 * because Assay chooses the cores. UCX starts a thread when loaded, in which LIKWID's pin library divides by 0. */
static char *const unbound[] = {"OMPI_MCA_hwloc_base_binding_policy=none", "OMPI_MCA_rmaps_base_oversubscribe=1",
                                "PRTE_MCA_hwloc_default_binding_policy=none",
                                "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe", "UCX_VFS_ENABLE=n"};

static const char omp_threads[] = "OMP_NUM_THREADS=";

char **program_environment(const struct run *run, char **theirs, struct program_variables *own) {
    enum { MORE = sizeof unbound / sizeof unbound[0] + 2 };
    const json_t *wanted = json_object_get(run->job, "threads"), *turn = json_object_get(run->packed, "turn");
    size_t count = 0, kept = 0;
    while (theirs[count] != NULL)
        count++;
    char **list = calloc(count + MORE + 1, sizeof *list);
    if (list == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        if (wanted == NULL || strncmp(theirs[i], omp_threads, sizeof omp_threads - 1) != 0)
            list[kept++] = theirs[i];
    }
    if (wanted != NULL) {
        snprintf(own->threads, sizeof own->threads, "%s%d", omp_threads, (int)json_integer_value(wanted));
        list[kept++] = own->threads;
    }
    if (turn != NULL) {
        snprintf(own->turn, sizeof own->turn, "ASSAY_TURN=%d", (int)json_number_value(turn));
        list[kept++] = own->turn;
    }
    if (json_object_get(run->job, "launcher") != NULL)
        memcpy(list + kept, unbound, sizeof unbound);
    return list;
}

int program_stage(const struct run *run, const struct run_context *context, const char *groups, struct error *error) {
    const json_t *beside = json_object_get(run->packed, "beside");
    char name[PATH_MAX], file[PATH_MAX];
    if (!program_is(run))
        return 0;
    if (has_blanks(context->command) && write_words(run, context->command, error) != 0)
        return -1;
    if (json_object_get(run->job, "launcher") != NULL && write_ranks(run, context, error) != 0)
        return -1;
    if (beside == NULL)
        return 0;
    snprintf(name, sizeof name, "%s.txt", json_word(beside, "name"));
    return paths_join(file, groups, name, error) != 0 ? -1 : text_write(file, json_word(beside, "text"), error);
}

json_t *program_read(const struct run *run, char **why) {
    json_t *counted = json_array();
    size_t count = json_array_size(json_object_get(run->job, "ranks"));
    for (size_t number = 0; counted != NULL && number < count; number++) {
        char file[PATH_MAX];
        struct error error;
        out_file(file, run, number);
        char *text = access(file, F_OK) == 0 ? text_read(file, &error) : NULL;
        json_t *regions = text != NULL ? csv_read(text, "out.csv", &error) : NULL;
        if (text == NULL)
            error_set(&error, "likwid-perfctr left no counts");
        free(text);
        if (regions == NULL) {
            *why = strdup(error.text);
            json_decref(counted);
            return NULL;
        }
        json_array_append_new(counted, regions);
    }
    return counted;
}

int program_check(const char *program, struct error *error) {
    char file[PATH_MAX], interpreter[COMMAND_LINE];
    if (search_program(program, file) != 0) {
        int is_there = strchr(program, '/') != NULL && access(program, F_OK) == 0;
        return error_set(error,
                         is_there ? "%s: cannot be executed; name a program, and chmod +x a script"
                                  : "%s: no such program; name one in PATH or by its path",
                         program);
    }
    if (command_lacks_interpreter(file, interpreter))
        return error_set(error, "%s: its interpreter %s is not there; correct the script's first line", file,
                         interpreter);
    return 0;
}

int program_is_marked(const char *program) {
    enum { OVERLAP = sizeof first_call - 2 }; /* the name may cross the border of two blocks */
    char file[PATH_MAX], block[OVERLAP + BLOCK];
    FILE *stream = search_program(program, file) == 0 ? fopen(file, "re") : NULL;
    size_t kept = 0, got;
    int found = 0;
    while (stream != NULL && !found && (got = fread(block + kept, 1, BLOCK, stream)) > 0) {
        size_t length = kept + got;
        found = memmem(block, length, first_call, sizeof first_call - 1) != NULL;
        kept = length < OVERLAP ? length : OVERLAP;
        memmove(block, block + length - kept, kept);
    }
    if (stream != NULL)
        fclose(stream);
    return found;
}
