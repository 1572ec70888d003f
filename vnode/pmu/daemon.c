/* daemon.c - the virtual node's likwid-accessD: gives one LIKWID client access to the registers of the simulated
 * hardware.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"
#include "compiled.h"
#include "listen.h"
#include "moment.h"
#include "notes.h"
#include "parent_watch.h"
#include "pmu.h"
#include "protocol.h"
#include "registers_file.h"

static int complain(const char *what, const char *where) {
    fprintf(stderr, "likwid-accessD: %s: %s: %s\n", where, what, strerror(errno));
    return 1;
}

static void answer(struct pmu *pmu, struct protocol_record *record) {
    if (record->type == PROTOCOL_READ)
        record->error = (int32_t)pmu_read(pmu, record->device, record->cpu, record->reg, &record->data);
    else if (record->type == PROTOCOL_WRITE)
        record->error = (int32_t)pmu_write(pmu, record->device, record->cpu, record->reg, record->data);
    else if (record->type == PROTOCOL_CHECK)
        record->error = (int32_t)pmu_check(pmu, record->device, record->cpu);
    else
        record->error = PMU_UNKNOWN;
}

/* Waits for a message. 1, or -1: the client has ended. Ends the last message's moment when the client sleeps, or
 * after half a second of silence: it may also compute or wait for a processor. */
static int await_message(const struct pmu *pmu, int connection, int parent) {
    enum { LOOK_MS = 20, LOOKS = 25 };
    struct moment *moment = pmu->view.moment;
    int came = 0;
    for (int look = 1; moment && moment->holds && came == 0; look++) {
        came = parent_await(parent, pmu->view.client, connection, LOOK_MS);
        if (came == 0 && (look == LOOKS || client_sleeps(pmu->view.client)))
            moment_ends(moment);
    }
    return came ? came : parent_await(parent, pmu->view.client, connection, -1);
}

/* `parent`: from parent_watch(). Other processes may keep the client's end of the connection open after the client
 * has ended. */
static void serve(struct pmu *pmu, const struct registers_file *registers, int connection, int parent) {
    struct protocol_record record;
    while (await_message(pmu, connection, parent) == 1 &&
           recv(connection, &record, sizeof record, MSG_WAITALL) == (ssize_t)sizeof record &&
           record.type != PROTOCOL_EXIT) {
        int locks = record.type != PROTOCOL_CHECK; /* thousands of checks, and none touches a register */
        if (locks)
            registers_lock(registers);
        answer(pmu, &record);
        if (locks)
            registers_unlock(registers);
        if (send(connection, &record, sizeof record, MSG_NOSIGNAL) != (ssize_t)sizeof record)
            return;
    }
}

static void note(void *folder, const char *counter, uint64_t select, const char *reason) {
    note_not_counted(folder, getppid(), counter, select, reason);
}

int main(void) {
    char folder[4096], error[512];
    struct registers_file registers;
    pid_t client = getppid();
    int parent = parent_watch();
    signal(SIGINT, SIG_IGN); /* the client decides when the daemon ends */
    signal(SIGQUIT, SIG_IGN);
    umask(077);
    if (parent < 0)
        return complain("cannot watch it", "the client");
    if (!client_member(client, NODE_DIR_VARIABLE, folder, sizeof folder)) {
        fputs("likwid-accessD: no process above this one belongs to a virtual node: start it with assay vnode\n",
              stderr);
        return 1;
    }
    struct node_file *node = node_map(folder);
    if (!node)
        return complain("not a virtual node", folder);
    if (registers_open(folder, client, &registers) != 0)
        return complain("cannot keep registers here", folder);
    const struct compiled *compiled = compiled_map(folder, error, sizeof error);
    if (!compiled) {
        fprintf(stderr, "likwid-accessD: %s\n", error);
        return 1;
    }
    static struct moment moment;
    struct pmu pmu = {.table = &compiled->table,
                      .view = {.node = node, .client = client, .moment = &moment},
                      .state = registers.state,
                      .faults = &compiled->faults,
                      .not_counted = note,
                      .context = folder};
    int connection = listen_for_client(folder, parent, client);
    if (connection >= 0)
        serve(&pmu, &registers, connection, parent);
    else if (errno != ESRCH)
        complain("no client came", folder);
    return connection < 0;
}
