/* fleet_report.h - the two parts of `assay fleet` that read the nodes' records. */
#ifndef ASSAY_FLEET_REPORT_H
#define ASSAY_FLEET_REPORT_H

#include "commands.h"

extern const struct argument fleet_collect_options[], fleet_report_options[];

int fleet_collect(const struct paths *paths, const struct arguments *arguments);
int fleet_report(const struct paths *paths, const struct arguments *arguments);

#endif
