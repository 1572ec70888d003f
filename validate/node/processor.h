/* processor.h - the performance counters that this machine's processor announces by CPUID. */
#ifndef ASSAY_PROCESSOR_H
#define ASSAY_PROCESSOR_H

/* General counters of a hardware thread; 0: none. */
int processor_counters(void);

/* Whether a hypervisor runs this machine. */
int processor_is_virtual(void);

#endif
