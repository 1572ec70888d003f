/* options.h - what `assay validate` and `assay calibrate` are asked for. */
#ifndef ASSAY_OPTIONS_H
#define ASSAY_OPTIONS_H

#include "choose.h"
#include "validate/command/arguments.h"

/* The table of both commands. */
extern const struct argument options_table[];

struct options {
    const char *node;            /* "auto", "native", "virtual" or "virtual:NAME" */
    enum node_fallback fallback; /* of "auto" */
    const char *out;             /* record file, or NULL */
    int reps;                    /* 0: the node's default */
    const char *fault;           /* file of faults for a virtual node, or NULL */
    const char *groups;          /* folder for group files, or NULL */
    const char *check;           /* a group file that is not Assay's, or a folder of them, or NULL */
    /* lists, comma separated; NULL: all */
    const char *only;      /* codes */
    const char *level;     /* L2, L3, MEM */
    const char *placement; /* S0:1 */
    int quick;
    int health;            /* a quick check that prints one line */
    const char *reference; /* of it: the record to compare with, or NULL */
    int calibrate;         /* take the cost of measuring off the counts */
    int all;               /* show every metric, not only the total volumes */
    int curves;            /* of single events: along the probes' curves, not at their points */
    int noise;             /* of single events: how much they differ from repetition to repetition */
    int matrix;            /* measure the controls only, each with the events of all signatures */
    int jobs;              /* runs side by side on a virtual node; 0: as many as the host has cores */
    double timeout;        /* seconds for one run */
    char **patterns;       /* names; none: all */
    int pattern_count;
};

/* What arguments read with options_table mean. `options` points into them. 0, or -1 with a one-line reason. */
int options_read(struct options *options, const struct arguments *arguments, struct error *error);

/* The value of --timeout: a number of seconds above 0; NULL: `*seconds` stays. 0, or -1 with a one-line reason. */
int options_timeout(const char *text, double *seconds, struct error *error);

enum {
    OPTIONS_REPS_MAX = 10000,
    OPTIONS_JOBS_MAX = 1024,
    OPTIONS_TIMEOUT = 600,
    OPTIONS_TIMEOUT_MAX = 100000000 /* three years */
};

#endif
