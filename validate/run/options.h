/* options.h - options of the commands that measure. */
#ifndef ASSAY_OPTIONS_H
#define ASSAY_OPTIONS_H

#include "choose.h"
#include "validate/command/arguments.h"

/* The options of `assay validate` and `assay calibrate`. */
extern const struct argument options_table[];

struct options {
    const char *node;            /* "auto", "native", "virtual" or "virtual:NAME" */
    enum node_fallback fallback; /* of "auto" */
    const char *out;             /* record file, or NULL */
    const char *interface;       /* what counts instead of LIKWID: "perf", "perf-metrics" or "papi"; NULL: LIKWID */
    int reps;                    /* 0: the node's default */
    const char *fault;           /* fault file for a virtual node, or NULL */
    const char *noise_level;     /* of a virtual node: "quiet", "busy" or NULL */
    const char *groups;          /* folder for group files, or NULL */
    const char *check;           /* a group file to check, or a folder of them, or NULL */
    /* lists, comma separated; NULL: all */
    const char *only;      /* codes */
    const char *level;     /* L1, L2, L3, MEM */
    const char *placement; /* S0:1 */
    int quick;
    int health;            /* a quick check that prints one line */
    const char *reference; /* with health: the record to compare with, or NULL */
    int calibrate;         /* subtract the measurement's own counts */
    int all;               /* show every metric, not only the total volumes */
    int curves;            /* events: measure along the probes' curves, not at their points */
    int noise;             /* events: measure the variation between repetitions */
    int plan;              /* print the plan, measure nothing */
    int matrix;            /* measure the controls only, each with the events of all signatures */
    int jobs;              /* parallel runs on a virtual node; 0: the host's number of cores */
    double timeout;        /* seconds for one run */
    char **patterns;       /* names; none: all */
    int pattern_count;
};

/* Reads the options of any of these commands; the remaining words are names of patterns. `options` points into
 * `arguments`. 0, or -1 with a one-line reason. */
int options_read(struct options *options, const struct arguments *arguments, struct error *error);

/* Entries shared by the option tables of several commands. */
#define OPTION_NODE                                                                                                    \
    { "node", "NODE", "where: auto (this machine if its counters count), native, virtual, virtual:NAME" }
#define OPTION_REPS                                                                                                    \
    { "reps", "N", "repetitions of every run; 1 on a virtual node, 10 on silicon by default" }
#define OPTION_FINDINGS                                                                                                \
    { "out", "FILE", "the findings as JSON; after an interruption the same command continues" }
#define OPTION_JOBS                                                                                                    \
    { "jobs", "N", "parallel runs on a virtual node; one per host core by default" }
#define OPTION_TIMEOUT                                                                                                 \
    { "timeout", "SECONDS", "limit of one run, 600 by default" }
#define OPTION_NOISE                                                                                                   \
    { "noise", "LEVEL", "noise of the virtual node: quiet or busy, like a real machine" }
#define OPTION_FAULT                                                                                                   \
    { "fault", "FILE", "make the virtual node wrong on purpose: see FAULTS in assay(1)" }

enum {
    OPTIONS_REPS_MAX = 10000,
    OPTIONS_JOBS_MAX = 1024,
    OPTIONS_TIMEOUT = 600,
    OPTIONS_TIMEOUT_MAX = 100000000 /* three years */
};

#endif
