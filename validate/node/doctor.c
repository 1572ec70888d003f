/* doctor.c - examines the machine for native measurements. SPDX-License-Identifier: GPL-3.0-or-later */
#include "doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access.h"
#include "machine.h"
#include "processor.h"
#include "settings.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/system.h"
#include "validate/kernel/in_core.h"

struct machine {
    const struct paths *paths;
    struct likwid likwid;
    int has_likwid;
    int is_examined; /* for the user: LIKWID is asked although its answer is known */
    char arch[32];   /* "": unknown */
};

static void examine_likwid(struct machine *machine, struct finding *finding) {
    struct error error;
    machine->has_likwid = likwid_find(&machine->likwid, machine->is_examined ? NULL : machine->paths, &error) == 0;
    if (!machine->has_likwid) {
        finding_set(finding, FINDING_BLOCKS, "install LIKWID 5.2 or newer, or set LIKWID_PREFIX", "%.250s", error.text);
        return;
    }
    int major = 0, minor = 0;
    sscanf(machine->likwid.version, "%d.%d", &major, &minor);
    if (major < 5 || (major == 5 && minor < 2))
        finding_set(finding, FINDING_BLOCKS, "install LIKWID 5.2 or newer, or set LIKWID_PREFIX",
                    "version %s is too old", machine->likwid.version);
    else
        finding_set(finding, FINDING_OK, "", "version %s, %.200s", machine->likwid.version, machine->likwid.perfctr);
}

static void examine_pmu(struct machine *machine, struct finding *finding) {
    (void)machine;
    int counters = processor_counters(), is_virtual = processor_is_virtual();
    if (counters > 0)
        finding_set(finding, FINDING_OK, "", "%d counters per hardware thread%s", counters,
                    is_virtual ? ", under a hypervisor" : "");
    else
        finding_set(finding, FINDING_BLOCKS,
                    is_virtual ? "let the hypervisor expose its PMU, or run on bare metal"
                               : "measure on another machine",
                    "this processor%s shows no hardware performance counters (CPUID)",
                    is_virtual ? ", a virtual machine's," : "");
}

static void examine_processor(struct machine *machine, struct finding *finding) {
    struct error error;
    if (!machine->has_likwid)
        finding_set(finding, FINDING_BLOCKS, "install LIKWID first", "unknown without LIKWID");
    else if (likwid_arch(&machine->likwid, machine->arch, &error) != 0)
        finding_set(finding, FINDING_BLOCKS, "install a LIKWID that supports this processor", "%.250s", error.text);
    else
        finding_set(finding, FINDING_OK, "", "%s", machine->arch);
}

static void examine_access(struct machine *machine, struct finding *finding) {
    char text[300];
    const struct likwid *likwid = &machine->likwid;
    const char *remedy = access_obstacle(likwid, text, sizeof text);
    if (remedy != NULL)
        finding_set(finding, FINDING_BLOCKS, remedy, "%s", text);
    else
        finding_set(finding, FINDING_OK, "", "%s %.250s", likwid->mode, likwid->path);
}

/* Another user's lock file keeps LIKWID from counting, even for root. */
static void examine_lock(struct machine *machine, struct finding *finding) {
    char remedy[100], lock[PATH_MAX];
    struct stat status;
    if (access_lock_file(&machine->likwid, lock) != 0) {
        finding_set(finding, FINDING_OK, "", "unknown: LIKWID's library names no lock file");
    } else if (stat(lock, &status) != 0) {
        finding_set(finding, FINDING_OK, "", "there is none");
    } else if (status.st_uid == getuid()) {
        finding_set(finding, FINDING_OK, "", "%.250s is this user's", lock);
    } else {
        snprintf(remedy, sizeof remedy, "ask its owner (id -nu %u) to remove it, or remove it as root",
                 (unsigned)status.st_uid);
        finding_set(finding, FINDING_BLOCKS, remedy, "%.200s belongs to user %u, who reserves the counters", lock,
                    (unsigned)status.st_uid);
    }
}

/* Writes the architecture's errata that apply only with SMT: ", errata A, B apply", or "" if none is known. */
static void smt_errata(const struct machine *machine, char *text, size_t size) {
    struct error error;
    struct script *script = machine->arch[0] != '\0' ? script_open(machine->paths->data, &error) : NULL;
    json_t *known =
        script != NULL ? machine_read(script, machine->paths, machine->arch, machine->likwid.version, &error) : NULL;
    json_t *erratum;
    size_t index, used = 0;
    text[0] = '\0';
    json_array_foreach(json_object_get(known, "errata"), index, erratum) {
        if (json_is_true(json_object_get(erratum, "smt")) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s %s", used == 0 ? ", and errata" : ",",
                                     json_word(erratum, "id"));
    }
    if (used > 0 && used < size)
        snprintf(text + used, size - used, " apply");
    json_decref(known);
    script_close(script);
}

static void examine_smt(struct machine *machine, struct finding *finding) {
    char errata[128];
    if (system_number("/sys/devices/system/cpu/smt/active") != 1) {
        finding_set(finding, FINDING_OK, "", "SMT is off");
        return;
    }
    smt_errata(machine, errata, sizeof errata);
    finding_set(finding, FINDING_NOTE, "echo off > /sys/devices/system/cpu/smt/control for the full set",
                "SMT is on: half of the counters%s", errata);
}

static void examine_prediction(struct machine *machine, struct finding *finding) {
    char tool[40];
    struct error error;
    (void)machine;
    if (in_core_find(tool, &error) == 0)
        finding_set(finding, FINDING_OK, "", "%s predicts cycles in the core", tool);
    else
        finding_set(finding, FINDING_NOTE, "install llvm", "cycles in the core are not predicted: %.200s", error.text);
}

static void examine_engine(struct machine *machine, struct finding *finding) {
    char tool[PATH_MAX];
    if (snprintf(tool, sizeof tool, "%s/vnode/valgrind/assay-amd64-linux", machine->paths->tools) > 0 &&
        access(tool, X_OK) == 0)
        finding_set(finding, FINDING_OK, "", "the engine is built");
    else
        finding_set(finding, FINDING_NOTE, "install valgrind and run make", "%.250s is absent: no virtual node", tool);
}

const char doctor_groups[] = "groups";

/* The last check: if it is the first to block, nothing else does. */
static void examine_groups(struct machine *machine, struct finding *finding) {
    char folder[PATH_MAX];
    struct error error;
    finding->subject = doctor_groups;
    if (paths_arch(folder, machine->paths, machine->arch, "", &error) != 0 || access(folder, R_OK) != 0)
        finding_set(finding, FINDING_BLOCKS, "add groups/ARCH for it (CONTRIBUTING.md, Add an architecture)",
                    "Assay has none for %s", machine->arch);
    else
        finding_set(finding, FINDING_OK, "", "Assay has groups for %s", machine->arch);
}

static const char likwids_access[] = "register access", likwids_lock[] = "LIKWID's lock";

static const struct {
    const char *subject;
    void (*examine)(struct machine *, struct finding *);
} checks[] = {
    {"LIKWID", examine_likwid},         {"PMU", examine_pmu},
    {"processor", examine_processor},   {likwids_access, examine_access},
    {likwids_lock, examine_lock},       {"SMT", examine_smt},
    {"prediction", examine_prediction}, {"virtual node", examine_engine},
};

/* `interface`: doctor_check(). */
static int blocks(const struct finding *finding, const char *interface) {
    int of_registers = finding->subject == likwids_access || finding->subject == likwids_lock;
    return finding->state == FINDING_BLOCKS && !(of_registers && interface != NULL);
}

/* Fills `findings` and returns their number. The first one that blocks is the last, unless the machine is examined. */
static size_t examine(struct machine *machine, const char *interface, struct finding findings[FINDINGS_MAX]) {
    size_t count = sizeof checks / sizeof checks[0];
    for (size_t i = 0; i < count; i++) {
        findings[i].subject = checks[i].subject;
        checks[i].examine(machine, &findings[i]);
        if (!machine->is_examined && blocks(&findings[i], interface))
            return i + 1;
    }
    count += settings_examine("", findings + count, FINDINGS_MAX - 1 - count);
    if (machine->arch[0] != '\0')
        examine_groups(machine, &findings[count++]);
    return count;
}

size_t doctor_examine(const struct paths *paths, struct finding findings[FINDINGS_MAX]) {
    struct machine machine = {.paths = paths, .is_examined = 1};
    return examine(&machine, NULL, findings);
}

const struct finding *doctor_first_block(const struct finding findings[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (findings[i].state == FINDING_BLOCKS)
            return &findings[i];
    }
    return NULL;
}

int doctor_check(const struct paths *paths, const char *interface, int needs_groups, char arch[32],
                 struct error *error) {
    struct machine machine = {.paths = paths};
    struct finding findings[FINDINGS_MAX];
    size_t count = examine(&machine, interface, findings);
    for (size_t i = 0; i < count; i++) {
        const struct finding *finding = &findings[i];
        if (blocks(finding, interface) && (needs_groups || finding->subject != doctor_groups))
            return error_set(error, "%s: %s; remedy: %s", finding->subject, finding->text, finding->remedy);
    }
    if (arch != NULL)
        strcpy(arch, machine.arch);
    return 0;
}
