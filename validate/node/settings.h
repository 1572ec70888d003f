/* settings.h - settings of kernel, boot and job that prevent native measurements or make counts vary. */
#ifndef ASSAY_SETTINGS_H
#define ASSAY_SETTINGS_H

#include <stddef.h>

#include "finding.h"

/* Examines files of /proc and /sys below `root` ("" for this machine) and fills at most `room` findings. Returns their
 * number. A setting whose file cannot be read does not block; its text says that it is unknown. */
size_t settings_examine(const char *root, struct finding findings[], size_t room);

/* Whether this machine is a container's view of one. */
int settings_is_container(const char *root);

#endif
