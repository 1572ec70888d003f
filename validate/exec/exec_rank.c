/* exec_rank.c FILE - executes the command of its MPI rank; the MPI launcher starts it for every rank.
 *
 * FILE contains an entry per rank, in order: the rank's cores ("2,3"), then the words of its command; each of these
 * ends with a NUL, an entry with another NUL. Binds the rank to its cores and asks OpenMP to bind one thread to each.
 * LIKWID's pinning is not used: it depends on the order in which threads are created, and some MPIs create one first.
 *
 * Exit status 2 with one line if there is no command for the rank.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES_MOST = 1 << 22, PLACES_MOST = 1 << 16, WORDS_MOST = 1 << 14, FAILED = 2 };

/* Variables with the rank: Open MPI; PMIx (Open MPI from 5 on, Slurm); Hydra (MPICH, Intel MPI); srun, last because
 * batch scripts have its variable, too. */
static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};

static int fail(const char *what, const char *why) {
    fprintf(stderr, "assay: %s: %s\n", what, why);
    return FAILED;
}

/* -1: no variable is set. */
static long rank_of_this(void) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = getenv(names[i]);
        char *end = NULL;
        long rank = text != NULL && text[0] != '\0' ? strtol(text, &end, 10) : -1;
        if (rank >= 0 && *end == '\0')
            return rank;
    }
    return -1;
}

static size_t read_all(const char *file, char *text, size_t most) {
    FILE *stream = fopen(file, "re");
    size_t length = stream != NULL ? fread(text, 1, most, stream) : 0;
    if (stream != NULL)
        fclose(stream);
    return length;
}

/* Stores the words of the entry `rank`, NULL-terminated; returns their number. */
static size_t words_of(char *text, size_t length, long rank, char *words[WORDS_MOST]) {
    size_t count = 0;
    for (char *at = text; at < text + length && rank >= 0; at += strlen(at) + 1) {
        if (*at == '\0')
            rank--;
        else if (rank == 0 && count < WORDS_MOST - 1)
            words[count++] = at;
    }
    words[count] = NULL;
    return count;
}

/* Binds the process to the cores "2,3" and each OpenMP thread to one of them, unless the user chose another binding. */
static void bind_to(const char *cores) {
    static char places[PLACES_MOST];
    cpu_set_t set;
    size_t length = 0;
    CPU_ZERO(&set);
    for (const char *at = cores; *at != '\0' && length < sizeof places - 32; at += strcspn(at, ","), at += *at == ',') {
        unsigned long core = strtoul(at, NULL, 10);
        CPU_SET(core, &set);
        length += (size_t)snprintf(places + length, 32, "%s{%lu}", length > 0 ? "," : "", core);
    }
    sched_setaffinity(0, sizeof set, &set);
    setenv("OMP_PLACES", places, 0);
    setenv("OMP_PROC_BIND", "true", 0);
}

int main(int argc, char **argv) {
    static char text[BYTES_MOST + 1], *words[WORDS_MOST];
    long rank = rank_of_this();
    if (argc != 2)
        return fail("exec_rank", "it takes one file");
    if (rank < 0)
        return fail("--launcher", "it tells no process its rank: in none of OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, "
                                  "SLURM_PROCID; take the one of the MPI that the program is linked with");
    if (words_of(text, read_all(argv[1], text, BYTES_MOST), rank, words) < 2)
        return fail(argv[1], "it has no command for this rank");
    bind_to(words[0]);
    execvp(words[1], words + 1);
    return fail(words[1], strerror(errno));
}
