/* busy.h - processor time that a process spends inside its measured regions: what a campaign is really for.
 *
 * Processor time is real also where the clock is simulated, so that it tells what share of a run is measuring. */
#ifndef ASSAY_PATTERNS_BUSY_H
#define ASSAY_PATTERNS_BUSY_H

/* Seconds of processor time that all threads of this process have used. */
double busy_now(void);

/* Prints "cpu_seconds_in_regions S" to stdout, the line that the host looks for. */
void busy_print(double seconds);

#endif
