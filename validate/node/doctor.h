/* doctor.h - what stands in the way of measuring on this machine itself, each with one remedy. */
#ifndef ASSAY_DOCTOR_H
#define ASSAY_DOCTOR_H

#include <stddef.h>

#include "validate/host/paths.h"
#include "validate/likwid/likwid.h"

enum finding_state { FINDING_OK, FINDING_NOTE, FINDING_BLOCKS };

struct finding {
    const char *subject; /* "PMU", "SMT", ... */
    enum finding_state state;
    char text[300];   /* what is so */
    char remedy[300]; /* what to do; empty if nothing is to be done */
};

enum { FINDINGS_MAX = 16 };

/* Looks at this machine (nothing is programmed or changed) and fills `findings`; returns how many. */
size_t doctor_examine(const struct paths *paths, struct finding findings[FINDINGS_MAX]);

/* The first finding that blocks a native measurement, or NULL. */
const struct finding *doctor_first_block(const struct finding findings[], size_t count);

#endif
