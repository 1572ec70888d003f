/* host_settings.c - each setting of a kernel, good and bad. SPDX-License-Identifier: GPL-3.0-or-later */
#include <unistd.h>

#include "folder.h"

#include "validate/host/paths.h"
#include "validate/host/text.h"
#include "validate/node/settings.h"

ALL_TESTS(folder_make, folder_remove)

static void put(const char *file, const char *text) {
    char path[200], folder[200];
    struct error error;
    snprintf(path, sizeof path, "%s/%s", test_folder, file);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(paths_make_folder(folder, &error), 0);
    assert_int_equal(text_write(path, text, &error), 0);
}

/* The finding about a subject; NULL: nothing is said. */
static const struct finding *find(const char *subject) {
    static struct finding findings[20];
    size_t count = settings_examine(test_folder, findings, 20);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(findings[i].subject, subject) == 0)
            return &findings[i];
    }
    return NULL;
}

TEST(each_setting_is_judged) {
    static const struct {
        const char *subject, *file, *text;
        enum finding_state expected;
        const char *says;
    } cases[] = {
        {"lockdown", "sys/kernel/security/lockdown", "[none] integrity confidentiality\n", FINDING_OK, "not locked"},
        {"lockdown", "sys/kernel/security/lockdown", "none [integrity] confidentiality\n", FINDING_BLOCKS,
         "locked down"},
        {"register writes", "sys/module/msr/parameters/allow_writes", "default\n", FINDING_OK, "allows"},
        {"register writes", "sys/module/msr/parameters/allow_writes", "off\n", FINDING_BLOCKS, "allow_writes is off"},
        {"watchdog", "proc/sys/kernel/nmi_watchdog", "0\n", FINDING_OK, "off"},
        {"watchdog", "proc/sys/kernel/nmi_watchdog", "1\n", FINDING_NOTE, "occupies a counter"},
        {"watchdog", "proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\n", FINDING_BLOCKS,
         "occupies a counter"},
        {"NUMA balancing", "proc/sys/kernel/numa_balancing", "0\n", FINDING_OK, "leaves"},
        {"NUMA balancing", "proc/sys/kernel/numa_balancing", "2\n", FINDING_NOTE, "moves pages"},
        {"frequency", "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n", FINDING_OK,
         "performance"},
        {"frequency", "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n", FINDING_NOTE,
         "governor powersave: "},
        {"turbo", "sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", FINDING_NOTE, "on"},
        {"turbo", "sys/devices/system/cpu/intel_pstate/no_turbo", "1\n", FINDING_OK, "off"},
        {"user namespace", "proc/self/uid_map", "         0          0 4294967295\n", FINDING_OK, "none"},
        {"user namespace", "proc/self/uid_map", "         0       1000          1\n", FINDING_BLOCKS, "user namespace"},
        {"user namespace", "proc/self/uid_map", "", FINDING_BLOCKS, "user namespace"},
        {"load", "proc/loadavg", "0.20 1.00 2.00 1/263 6693\n", FINDING_OK, "nothing else"},
        {"load", "proc/loadavg", "18.79 18.83 12.97 23/263 6693\n", FINDING_NOTE, "18.8 processes"},
    };
    assert_null(find("lockdown"));
    assert_non_null(strstr(find("watchdog")->text, "unknown: /proc/sys/kernel/nmi_watchdog cannot be read"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(cases[i].file, cases[i].text);
        const struct finding *finding = find(cases[i].subject);
        assert_non_null(finding);
        assert_int_equal(finding->state, cases[i].expected);
        assert_non_null(strstr(finding->text, cases[i].says));
        assert_int_equal(finding->remedy[0] == '\0', cases[i].expected == FINDING_OK);
    }
}

/* Offline CPUs stay in a process's mask; CPUs that are online and not in it are the ones that are missing. */
TEST(a_cpuset_is_smaller_than_the_machine) {
    put("sys/devices/system/cpu/online", "0-3,8-11\n");
    put("proc/self/status", "Name:\tassay\nCpus_allowed:\tfff\nCpus_allowed_list:\t0-11\n");
    assert_int_equal(find("cpuset")->state, FINDING_OK);
    put("proc/self/status", "Name:\tassay\nCpus_allowed_list:\t4-9\n");
    assert_int_equal(find("cpuset")->state, FINDING_NOTE);
    assert_non_null(strstr(find("cpuset")->text, "4-9 of 0-3,8-11"));
    put("sys/devices/system/cpu/online", "1-3\n"); /* 0 in the mask does not bring it back */
    assert_int_equal(find("cpuset")->state, FINDING_BLOCKS);
}

TEST(containers_have_marks) {
    assert_false(settings_is_container(test_folder));
    put(".dockerenv", "");
    assert_true(settings_is_container(test_folder));
}
