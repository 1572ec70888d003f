/* faults.h - a file of faults for the virtual node (man page, FAULTS). What its lines mean is the node's business. */
#ifndef ASSAY_FAULTS_H
#define ASSAY_FAULTS_H

#include <jansson.h>

#include "error.h"

struct faults {
    const char *file; /* as the user named it */
    char *text;
};

/* 0, or -1 and the reason; the caller gives `out` to faults_free() in either case. */
int faults_load(struct faults *out, const char *file, struct error *error);
void faults_free(struct faults *faults);

/* Its lines without comments and needless blanks, an array of strings (a new reference); `faults` may be NULL. */
json_t *faults_lines(const struct faults *faults);

#endif
