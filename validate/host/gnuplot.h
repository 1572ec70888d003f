/* gnuplot.h - draws one plot. */
#ifndef ASSAY_GNUPLOT_H
#define ASSAY_GNUPLOT_H

#include "error.h"

/* Runs gnuplot on the script, without the user's start-up files, and returns what it printed (to be freed), or NULL and
 * the reason. `name` is the plot's, for messages. */
char *gnuplot_draw(const char *script, const char *name, struct error *error);

#endif
