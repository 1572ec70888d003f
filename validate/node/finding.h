/* finding.h - what one check of the doctor has found. */
#ifndef ASSAY_FINDING_H
#define ASSAY_FINDING_H

enum finding_state { FINDING_OK, FINDING_NOTE, FINDING_BLOCKS };

struct finding {
    const char *subject; /* "PMU", "SMT", ... */
    enum finding_state state;
    char text[300];   /* what was found */
    char remedy[300]; /* what to do; empty: nothing */
};

void finding_set(struct finding *finding, enum finding_state state, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
