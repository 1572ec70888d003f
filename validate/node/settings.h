/* settings.h - settings of kernel, boot and job that prevent native measurements or make counts vary. */
#ifndef ASSAY_SETTINGS_H
#define ASSAY_SETTINGS_H

#include <stddef.h>

#include "finding.h"

/* Files of settings below /, also read for a node's state (state.h). */
#define SETTINGS_WATCHDOG "proc/sys/kernel/nmi_watchdog"
#define SETTINGS_NUMA_BALANCING "proc/sys/kernel/numa_balancing"
#define SETTINGS_GOVERNOR "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
#define SETTINGS_NO_TURBO "sys/devices/system/cpu/intel_pstate/no_turbo" /* Intel's driver has a file of its own */
#define SETTINGS_BOOST "sys/devices/system/cpu/cpufreq/boost"

/* Examines files of /proc and /sys below `root` ("" for this machine) and fills at most `room` findings. Returns their
 * number. A setting whose file cannot be read does not block; its text says that it is unknown. */
size_t settings_examine(const char *root, struct finding findings[], size_t room);

/* Whether this machine is a container's view of one. */
int settings_is_container(const char *root);

#endif
