/* processor.h - number of performance counters reported by CPUID on this machine. */
#ifndef ASSAY_PROCESSOR_H
#define ASSAY_PROCESSOR_H

/* General counters of a hardware thread; 0: none. */
int processor_counters(void);

/* Whether this machine runs under a hypervisor. */
int processor_is_virtual(void);

#endif
