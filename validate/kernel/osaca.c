/* osaca.c - runs OSACA. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/osaca.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "validate/host/text.h"
#include "validate/kernel/analyzer.h"

static const char remedy[] = "install OSACA";

/* The number after `label`, -1 if there is none. */
static double number_after(const char *text, const char *label) {
    const char *found = strstr(text, label);
    char *end = NULL;
    double number = found != NULL ? strtod(found + strlen(label), &end) : -1;
    return found != NULL && end != found + strlen(label) ? number : -1;
}

/* The largest number in "PortPressure: {'0': 1.0, 0DV: 0.0, ...}", -1 if there is none. */
static double most_loaded(const char *summary) {
    const char *port = strstr(summary, "PortPressure: {"), *end = port != NULL ? strchr(port, '}') : NULL;
    double most = -1;
    for (port = end != NULL ? strchr(port, '{') : NULL; port != NULL && port < end; port = strchr(port + 1, ':')) {
        double pressure = *port == ':' ? strtod(port + 1, NULL) : -1;
        most = pressure > most ? pressure : most;
    }
    return most;
}

/* Reads the prediction from OSACA's YAML report. */
static int read_report(const char *report, struct in_core *in_core, struct error *error) {
    const char *summary = strstr(report, "\nSummary:"), *version = strstr(report, "Version: ");
    double chain = summary != NULL ? number_after(summary, "  LCD: ") : -1;
    double units = summary != NULL ? most_loaded(summary) : -1;
    if (chain < 0 || units < 0 || version == NULL)
        return error_set(error, "osaca says nothing of its loop; use OSACA 0.5 or newer");
    if (strstr(summary, "\nWarnings: []") == NULL)
        return error_set(error, "osaca does not know all of the loop's instructions");
    in_core->cycles = chain > units ? chain : units;
    snprintf(in_core->by, sizeof in_core->by, "osaca %.*s", (int)strcspn(version + 9, "}\n"), version + 9);
    return 0;
}

int osaca_predict(const char *loop, const char *processor, struct in_core *in_core, struct error *error) {
    char path[ANALYZER_PATH], report[ANALYZER_PATH], arch[16];
    int file = analyzer_open("", loop, path, error);
    int written = file >= 0 ? memfd_create("report.yml", MFD_CLOEXEC) : -1;
    char *argv[] = {"osaca",     "--arch",     arch,   "--syntax", "Intel", "--out",
                    "/dev/null", "--yaml-out", report, path,       NULL};
    snprintf(arch, sizeof arch, "%s", processor);
    snprintf(report, sizeof report, "/proc/%d/fd/%d", (int)getpid(), written);
    char *output = written >= 0 ? analyzer_run(argv, remedy, error) : NULL;
    char *text = output != NULL ? text_read(report, error) : NULL;
    int status = text != NULL ? read_report(text, in_core, error) : -1;
    if (file >= 0 && written < 0)
        error_set(error, "no memory for osaca's report; free some");
    free(text);
    free(output);
    if (written >= 0)
        close(written);
    if (file >= 0)
        close(file);
    return status;
}
