/* gnuplot.h - draws one plot. */
#ifndef ASSAY_GNUPLOT_H
#define ASSAY_GNUPLOT_H

#include "error.h"

/* Runs gnuplot on the script, without the user's start-up files. Returns its output, freed by the caller, or NULL with
 * the reason. `name` names the plot in messages. */
char *gnuplot_draw(const char *script, const char *name, struct error *error);

#endif
