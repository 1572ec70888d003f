/* terminal.h - width and colours of tables on stdout. */
#ifndef ASSAY_TERMINAL_H
#define ASSAY_TERMINAL_H

enum { TERMINAL_WIDTH = 100 }; /* columns of a table */

/* Nonzero if stdout is a terminal that is not "dumb" and NO_COLOR is unset or empty (https://no-color.org). */
int terminal_wants_colour(void);

#endif
