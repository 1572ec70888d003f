/* gnuplot.h - draws plots. */
#ifndef ASSAY_GNUPLOT_H
#define ASSAY_GNUPLOT_H

#include <jansson.h>

#include "error.h"

/* Draws plots, [ { name, script } .. ], each script printing an SVG; without the user's start-up files. One process
 * draws them all, because its start takes 20 times as long as a plot. Returns what the scripts printed, [ text .. ] in
 * the same order; NULL with the reason, and the name of a plot that was not drawn. */
json_t *gnuplot_draw(const json_t *plots, struct error *error);

#endif
