/* finding.c - fills findings. SPDX-License-Identifier: GPL-3.0-or-later */
#include "finding.h"

#include <stdarg.h>
#include <stdio.h>

void finding_set(struct finding *finding, enum finding_state state, const char *remedy, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
    finding->state = state;
    snprintf(finding->remedy, sizeof finding->remedy, "%s", remedy);
}
