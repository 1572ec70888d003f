/* stop.h - requests to stop, from a user, a closed terminal, a batch system or a closed pipe: SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT, SIGPIPE. For all of them: clean up, keep the results so far, exit with EXIT_INTERRUPTED. */
#ifndef ASSAY_STOP_H
#define ASSAY_STOP_H

#include <signal.h>

enum { STOP_SIGNALS = 5 };

struct stop {
    struct sigaction before[STOP_SIGNALS];
};

/* From now on the signals do not end this process, but are recorded. A SIGHUP ignored by nohup stays ignored. Executed
 * programs get the default actions. */
void stop_catch(struct stop *stop);

/* Also requests a stop after `seconds` seconds. */
void stop_after(unsigned seconds);

/* Whether a stop was requested since the first stop_catch(). */
int stop_is_asked(void);

/* Restores the signals' actions from before stop_catch(). */
void stop_release(const struct stop *stop);

#endif
