/* listed.h - nodes on which LIKWID lists an architecture's events. */
#ifndef ASSAY_LISTED_H
#define ASSAY_LISTED_H

#include <limits.h>

#include "validation.h"

enum { LISTED_NAME_MOST = PATH_MAX + 16 }; /* "virtual:" and a file */

/* Open `v`, fresh but for its paths and options, on a node: the named one; one of the architecture, whose name is
 * stored in `name`, which `v` uses as long as it is open. -1 with the reason; validation_release() in any case. */
int listed_open_node(struct validation *v, const char *node, struct error *error);
int listed_open(struct validation *v, const char *arch, char name[LISTED_NAME_MOST], struct error *error);

/* LIKWID's lists of architectures, for `v` with paths and options.timeout, without a description of the nodes, which
 * would make each node twice: first listed_prepare(), then listed_ask() for each, at the end validation_release().
 * listed_ask(): a new reference, or NULL with the reason. */
int listed_prepare(struct validation *v, struct error *error);
json_t *listed_ask(struct validation *v, const char *arch, struct error *error);

/* LIKWID's answers are kept in a file of the cache folder until LIKWID, an architecture or the virtual node changes.
 * listed_kept(): { of = what they depend on, lists = { ARCH = text } }, a new reference, after listed_prepare(); stores
 * the file's name in `file`, "" if nothing may be kept. listed_keep() writes it; a failure has no effect. */
json_t *listed_kept(const struct validation *v, char file[PATH_MAX]);
void listed_keep(const json_t *kept, const char *file);

#endif
