/* fleet_report.h - the subcommands of `assay fleet` that read the nodes' records: collect and report. */
#ifndef ASSAY_FLEET_REPORT_H
#define ASSAY_FLEET_REPORT_H

#include <jansson.h>

#include "validate/command/commands.h"

extern const struct argument fleet_collect_options[], fleet_report_options[];

int fleet_collect(const struct paths *paths, const struct arguments *arguments, struct error *error);
int fleet_report(const struct paths *paths, const struct arguments *arguments, struct error *error);

/* Prints the output of assay fleet report for a collection, with `all` unabridged, and writes the page `html` (NULL:
 * none). 0, or -1 with the reason. */
int fleet_show(const struct paths *paths, json_t *collection, int all, const char *html, struct error *error);

#endif
