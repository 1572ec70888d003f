/* doctor.h - obstacles to native measurements on this machine, each with one remedy. */
#ifndef ASSAY_DOCTOR_H
#define ASSAY_DOCTOR_H

#include <stddef.h>

#include "finding.h"
#include "validate/host/paths.h"
#include "validate/likwid/likwid.h"

enum { FINDINGS_MAX = 32 };

/* Examines this machine without changing anything, fills `findings` and returns their number. */
size_t doctor_examine(const struct paths *paths, struct finding findings[FINDINGS_MAX]);

/* Subject of the last finding: does Assay have groups for the processor? Because it is the last, it is the first one to
 * block only if no other finding blocks. */
extern const char doctor_groups[];

/* -1 with the first finding that blocks a native measurement, and its remedy; `needs_groups` 0: missing groups do not
 * block; `interface` not NULL: it counts instead of LIKWID, whose access to registers does not matter. Else 0, and
 * LIKWID's name of the processor in `arch` (NULL: not wanted). */
int doctor_check(const struct paths *paths, const char *interface, int needs_groups, char arch[32],
                 struct error *error);

/* The first finding that blocks a native measurement, or NULL. */
const struct finding *doctor_first_block(const struct finding findings[], size_t count);

#endif
