/* host_complaint.c - LIKWID's messages about known obstacles, as it prints them. SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "validate/likwid/complaint.h"

TEST(the_line_and_its_remedy_are_found) {
    static const struct {
        const char *messages, *line, *remedy;
    } cases[] = {
        {"INFO\nERROR: The selected register PMC0 is in use.\nPlease run likwid with force option\n",
         "ERROR: The selected register PMC0 is in use.", "LIKWID_FORCE=1"},
        {"ERROR - [perfmon.c:2]\nFailed to write MSR 0x38F: Operation not permitted\n",
         "Failed to write MSR 0x38F: Operation not permitted", "allow_writes"},
        {"ERROR: No event in given event string can be configured.\n       Either the events",
         "ERROR: No event in given event string can be configured.", "allow_writes"},
        {"likwid-accessD: Permission denied\nERROR: stopped", "likwid-accessD: Permission denied", "chmod u+s"},
        {"Access to performance counters is locked.\n", "Access to performance counters is locked.", "lock file"},
        {"one\nERROR - cannot\nlast\n", "ERROR - cannot", "likwid-perfctr -C 0"},
        {"CORRECTABLE_ERRORS\nERROR - [x] Using hwloc to find pci devices failed\nERROR - cannot\n", "ERROR - cannot",
         "likwid-perfctr -C 0"},
        {"one\nlast\n\n", "last", "likwid-perfctr -C 0"},
        {"", "", "likwid-perfctr -C 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct complaint found = complaint_find(cases[i].messages);
        assert_int_equal(found.length, strlen(cases[i].line));
        assert_memory_equal(found.line, cases[i].line, strlen(cases[i].line));
        assert_non_null(strstr(found.remedy, cases[i].remedy));
    }
}

TEST(an_error_that_LIKWID_overcomes_is_none) {
    static const char none[] =
        "ERROR - [./src/access_x86_pci.c:access_x86_pci_init:170] Using hwloc to find pci devices "
        "failed\nERROR - [x]\nCannot calculate formula a/b\nCORRECTABLE_ERRORS\n";
    assert_null(complaint_error(none, "ERROR"));
}

TEST(an_absent_box_is_told_from_other_failures) {
    static const int missing[] = {ENOENT, ENODEV, ENXIO}, others[] = {EPERM, EIO, EFAULT};
    char line[200];
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        snprintf(line, sizeof line, "the boxes: likwid-perfctr: ERROR - [./a.h:read:1] %s.", strerror(missing[i]));
        assert_true(complaint_is_absent_box(line));
        snprintf(line, sizeof line, "the boxes: likwid-perfctr: ERROR - [./a.h:read:1] %s.", strerror(others[i]));
        assert_false(complaint_is_absent_box(line));
    }
    assert_false(complaint_is_absent_box("timed out"));
    assert_false(complaint_is_absent_box("cannot run likwid-perfctr: No such file or directory"));
}
