/* terminal.h - how tables are written on stdout. */
#ifndef ASSAY_TERMINAL_H
#define ASSAY_TERMINAL_H

enum { TERMINAL_WIDTH = 100 }; /* columns of a table */

/* Nonzero on a terminal, unless the user does not want colour: https://no-color.org. */
int terminal_wants_colour(void);

#endif
