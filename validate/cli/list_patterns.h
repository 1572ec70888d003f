/* list_patterns.h - lists the patterns: description, groups that show them, and whether a node can run them. */
#ifndef ASSAY_LIST_PATTERNS_H
#define ASSAY_LIST_PATTERNS_H

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* Prints all patterns for the node chosen by `node` (choose.h), as text or, with `format` "json", as an array of
 * results of lua/plan/overview.lua. 0, or -1 with the reason. */
int list_patterns(const struct paths *paths, struct script *script, const char *node, const char *format,
                  struct error *error);

#endif
