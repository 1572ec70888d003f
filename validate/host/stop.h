/* stop.h - being told to stop, by a user, a terminal that closes, a batch system or a reader that has gone: SIGINT,
 * SIGTERM, SIGHUP, SIGQUIT, SIGPIPE. All mean the same: end tidily, keep what there is, exit with EXIT_INTERRUPTED. */
#ifndef ASSAY_STOP_H
#define ASSAY_STOP_H

#include <signal.h>

enum { STOP_SIGNALS = 5 };

struct stop {
    struct sigaction before[STOP_SIGNALS];
};

/* From now on the signals do not end this process, but are remembered. A SIGHUP that is ignored, as nohup does, stays
 * so. Programs that are executed have them as usual. */
void stop_catch(struct stop *stop);

/* From now on it is asked to stop, too, once so many seconds have passed. */
void stop_after(unsigned seconds);

/* Since the first stop_catch() there was one. */
int stop_is_asked(void);

/* The signals act as before stop_catch(). */
void stop_release(const struct stop *stop);

#endif
