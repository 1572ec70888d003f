/* list_patterns.h - what each pattern is about, which groups show it, and whether a node can run it. */
#ifndef ASSAY_LIST_PATTERNS_H
#define ASSAY_LIST_PATTERNS_H

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* Prints all patterns for the node that `node` says (choose.h), as text or, `format` "json", as an array of
 * lua/plan/overview.lua's. 0, or -1 and the reason. */
int list_patterns(const struct paths *paths, struct script *script, const char *node, const char *format,
                  struct error *error);

#endif
