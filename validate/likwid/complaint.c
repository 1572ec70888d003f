/* complaint.c - what LIKWID printed about why it could not count. SPDX-License-Identifier: GPL-3.0-or-later */
#include "complaint.h"

#include <ctype.h>
#include <string.h>

enum { LENGTH_MOST = 300 };

/* Messages of marker.c and LIKWID about known obstacles, and their remedies; the last entries are for all others. */
static const struct obstacle {
    const char *text, *remedy;
} obstacles[] = {
    {"perf_event_paranoid", "sysctl -w kernel.perf_event_paranoid=2 as root (0: boxes of the uncore, too), or grant "
                            "CAP_PERFMON; in a container allow the system call perf_event_open"},
    {"no such event of PMU", "let the hypervisor show its PMU to this kernel, or measure on another machine"},
    {"no counter is free", "end what else counts (perf, likwid-perfctr), or sysctl -w kernel.nmi_watchdog=0"},
    {"in use", "end what else counts (perf, another likwid-perfctr, the NMI watchdog), or set LIKWID_FORCE=1"},
    {"Operation not permitted", "turn off the kernel's lockdown (secure boot), or allow writes: msr.allow_writes=on"},
    {"can be configured", "turn off the kernel's lockdown (secure boot), allow writes (msr.allow_writes=on), or see "
                          "likwid-perfctr -e for the counters"}, /* a refused write */
    {"Permission denied", COMPLAINT_RIGHTS},
    {"is locked", "remove LIKWID's lock file, or become its owner"},
    {"ERROR", "likwid-perfctr -C 0 -g CLOCK sleep 1 shows LIKWID's own trouble"},
    {"", "likwid-perfctr -C 0 -g CLOCK sleep 1 shows LIKWID's own trouble"},
};

static const char *last_line(const char *text) {
    const char *end = text + strlen(text);
    while (end > text && end[-1] == '\n')
        end--;
    while (end > text && end[-1] != '\n')
        end--;
    return end;
}

/* Names of events may contain the word: CORRECTABLE_ERRORS. */
static int is_part_of_name(const char *text, const char *word) {
    unsigned char after = (unsigned char)word[strlen("ERROR")];
    return (word > text && (isalnum((unsigned char)word[-1]) || word[-1] == '_')) || isalnum(after) || after == '_';
}

/* Whether counts are not affected: LIKWID cannot calculate a metric (division by 0); or hwloc shows it no PCI devices,
 * which it then finds in /proc, or prints another error. */
static int is_harmless(const char *error) {
    static const char metric[] = "\nCannot calculate formula", hwloc[] = "Using hwloc to find pci devices failed";
    const char *end = error + strcspn(error, "\n"), *found = strstr(error, hwloc);
    return strncmp(end, metric, sizeof metric - 1) == 0 || (found != NULL && found < end);
}

const char *complaint_error(const char *messages, const char *word) {
    const char *error = strstr(messages, word);
    while (error != NULL && (is_part_of_name(messages, error) || is_harmless(error)))
        error = strstr(error + 1, word);
    return error;
}

int complaint_is_absent_box(const char *message) {
    const char *error = complaint_error(message, "ERROR - [");
    return error != NULL && strstr(error, "] No such ") != NULL;
}

/* The text of a known obstacle in `messages`; NULL: none. */
static const char *search(const char *messages, const char *text) {
    return strcmp(text, "ERROR") == 0 ? complaint_error(messages, text) : strstr(messages, text);
}

struct complaint complaint_find(const char *messages) {
    const struct obstacle *obstacle = obstacles;
    while (search(messages, obstacle->text) == NULL)
        obstacle++;
    const char *line = obstacle->text[0] != '\0' ? search(messages, obstacle->text) : last_line(messages);
    while (line > messages && line[-1] != '\n')
        line--;
    int length = (int)strcspn(line, "\n");
    if (length > LENGTH_MOST)
        for (length = LENGTH_MOST; length > 0 && ((unsigned char)line[length] & 0xc0) == 0x80;)
            length--; /* within a character */
    return (struct complaint){line, length, obstacle->remedy};
}
