/* samples.h - reads the sample files written by processes of a virtual node (vnode/sampling_file.h), by function. */
#ifndef ASSAY_SAMPLES_H
#define ASSAY_SAMPLES_H

#include <jansson.h>
#include <stdint.h>

#include "validate/host/error.h"

/* Reads all sample files in the node's folder. A new reference: { "functions": [ { "function": name, absent if unknown,
 * "object": path, "counts": for each event [ true count, samples per period ... ] } ], "units": sum over all programs
 * of the cores that counted anything, "lost": number of samples, "unfinished": number of programs killed before they
 * wrote their file }. NULL with the reason if a file is not from the engine. */
json_t *samples_read(const char *folder, uint32_t events, uint32_t periods, struct error *error);

#endif
