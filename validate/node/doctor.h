/* doctor.h - obstacles to native measurements on this machine, each with one remedy. */
#ifndef ASSAY_DOCTOR_H
#define ASSAY_DOCTOR_H

#include <stddef.h>

#include "validate/host/paths.h"
#include "validate/likwid/likwid.h"

enum finding_state { FINDING_OK, FINDING_NOTE, FINDING_BLOCKS };

struct finding {
    const char *subject; /* "PMU", "SMT", ... */
    enum finding_state state;
    char text[300];   /* what was found */
    char remedy[300]; /* what to do; empty: nothing */
};

enum { FINDINGS_MAX = 16 };

/* Examines this machine without changing anything, fills `findings` and returns their number. */
size_t doctor_examine(const struct paths *paths, struct finding findings[FINDINGS_MAX]);

/* The first finding that blocks a native measurement, or NULL. */
const struct finding *doctor_first_block(const struct finding findings[], size_t count);

#endif
