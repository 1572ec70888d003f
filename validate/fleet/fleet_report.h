/* fleet_report.h - the two parts of `assay fleet` that read the nodes' records. */
#ifndef ASSAY_FLEET_REPORT_H
#define ASSAY_FLEET_REPORT_H

#include <jansson.h>

#include "validate/command/commands.h"

extern const struct argument fleet_collect_options[], fleet_report_options[];

int fleet_collect(const struct paths *paths, const struct arguments *arguments);
int fleet_report(const struct paths *paths, const struct arguments *arguments);

/* Prints what assay fleet report says of a collection, or (`all`) all of it, and writes the page `html`, NULL: none. 0,
 * or -1 and the reason. */
int fleet_show(const struct paths *paths, json_t *collection, int all, const char *html, struct error *error);

#endif
