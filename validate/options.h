/* options.h - the command line of `assay validate`. */
#ifndef ASSAY_OPTIONS_H
#define ASSAY_OPTIONS_H

#include "error.h"

struct options {
    const char *node;  /* "auto", "native", "virtual" or "virtual:NAME" */
    const char *out;   /* record file, or NULL */
    int reps;          /* 0: the node's default */
    const char *fault; /* file of faults for a virtual node, or NULL */
    /* lists, comma separated; NULL: all */
    const char *only;      /* codes */
    const char *level;     /* L2, L3, MEM */
    const char *placement; /* S0:1 */
    int quick;
    int calibrate;   /* take the cost of measuring off the counts */
    int all;         /* show every metric, not only the total volumes */
    int jobs;        /* runs side by side on a virtual node; 0: as many as the host has cores */
    double timeout;  /* seconds for one run */
    char **patterns; /* names; none: all */
    int pattern_count;
    char **words; /* all of the command line, from the command's name on */
    int word_count;
};

/* Parses argv[1..]. `patterns` and `words` point into argv. 0, or -1 with a one-line reason. */
int options_parse(struct options *options, int argc, char **argv, struct error *error);

#endif
