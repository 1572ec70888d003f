/* exec_rank.c FILE - becomes the command of its rank: FILE has one for each process of an MPI program, in order, each
 * word with a NUL behind it and another NUL behind the last one. What starts MPI programs starts this for all of them.
 *
 * Exit status 2, and one line, if there is none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES_MOST = 1 << 22, WORDS_MOST = 1 << 14, FAILED = 2 };

/* Where starters say it: Open MPI; PMIx (Open MPI from 5 on, Slurm); Hydra (MPICH, Intel MPI); srun, which comes last,
 * as a batch script has its variable, too. */
static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};

static int fail(const char *what, const char *why) {
    fprintf(stderr, "assay: %s: %s\n", what, why);
    return FAILED;
}

/* -1: nobody says it. */
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

/* The words of command `rank` of the text, NULL behind them; their number. */
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

int main(int argc, char **argv) {
    static char text[BYTES_MOST + 1], *words[WORDS_MOST];
    long rank = rank_of_this();
    if (argc != 2)
        return fail("exec_rank", "it takes one file");
    if (rank < 0)
        return fail("--launcher", "it says no process its rank: in none of OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, "
                                  "SLURM_PROCID; take the one of the MPI that the program is linked with");
    if (words_of(text, read_all(argv[1], text, BYTES_MOST), rank, words) == 0)
        return fail(argv[1], "it has no command for this rank");
    execvp(words[0], words);
    return fail(words[0], strerror(errno));
}
