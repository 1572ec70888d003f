/* samples.h - what processes of a virtual node have left of samples (vnode/sampling_file.h), by function. */
#ifndef ASSAY_SAMPLES_H
#define ASSAY_SAMPLES_H

#include <jansson.h>
#include <stdint.h>

#include "validate/host/error.h"

/* Reads all of the node's folder. A new reference: { "functions": [ { "function": name or null where nobody knows it,
 * "object": path, "counts": one of each event: [ how often it happened, samples of each period ] } ], "units": on how
 * many cores, program by program, "lost": how many samples, "unfinished": programs that were killed before they could
 * tell }. NULL and the reason: a file that no engine has written. */
json_t *samples_read(const char *folder, uint32_t events, uint32_t periods, struct error *error);

#endif
