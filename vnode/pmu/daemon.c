/* daemon.c - the virtual node's likwid-accessD: serves one LIKWID client the registers of the simulated hardware.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"
#include "fault_file.h"
#include "notes.h"
#include "pmu.h"
#include "protocol.h"
#include "registers_file.h"

#define DENIED_VARIABLE "ASSAY_DENIED" /* of the client: counters that it may not use, comma separated */

enum { CONNECT_TIMEOUT_MS = 30000 };

static int complain(const char *what, const char *where) {
    fprintf(stderr, "likwid-accessD: %s: %s: %s\n", where, what, strerror(errno));
    return 1;
}

static struct node_file *map_node(const char *folder) {
    char path[4200];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, NODE_FILE_NAME);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        return NULL;
    errno = EINVAL;
    if ((size_t)status.st_size < sizeof(struct node_file))
        return NULL;
    struct node_file *node = mmap(NULL, sizeof *node, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (node == MAP_FAILED || node->magic != NODE_MAGIC || node->version != NODE_VERSION)
        return NULL;
    return node;
}

/* Tells a client that waits for it that the socket is there. -1: no such pipe (yet); else it must stay open until the
 * client has connected. Only the client makes the pipe: whether it existed would be chance to it. */
static int announce(const char *folder) {
    char path[4200];
    snprintf(path, sizeof path, READY_PIPE, folder, (int)getpid());
    int pipe = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (pipe >= 0 && write(pipe, "", 1) != 1)
        complain("cannot write", path);
    return pipe;
}

static int accept_client(int listener, const char *folder) {
    struct pollfd waiting = {.fd = listener, .events = POLLIN};
    int pipe = -1, came = 0;
    for (int ms = 0; came == 0 && ms < CONNECT_TIMEOUT_MS; ms++) {
        if (pipe < 0)
            pipe = announce(folder);
        came = poll(&waiting, 1, 1);
    }
    int connection = came == 1 ? accept(listener, NULL, NULL) : -1;
    if (pipe >= 0)
        close(pipe);
    return connection;
}

/* The connection to the one client, -1 if none came. The socket's name is gone afterwards; if this process does not
 * live so long, whoever removes the node finds a note of it. */
static int await_client(const char *folder) {
    struct sockaddr_un address = {.sun_family = AF_LOCAL};
    char note_path[4200];
    snprintf(note_path, sizeof note_path, "%s/" SOCKET_NOTE "%d", folder, (int)getpid());
    close(open(note_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    snprintf(address.sun_path, sizeof address.sun_path, PROTOCOL_SOCKET, (int)getpid());
    unlink(address.sun_path); /* left over by a process that had this number before */
    int listener = socket(AF_LOCAL, SOCK_STREAM | SOCK_CLOEXEC, 0), connection = -1;
    if (listener >= 0 && bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 1) == 0)
        connection = accept_client(listener, folder);
    unlink(address.sun_path);
    unlink(note_path);
    if (listener >= 0)
        close(listener);
    return connection;
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

static void serve(struct pmu *pmu, const struct registers_file *registers, int connection) {
    struct protocol_record record;
    while (recv(connection, &record, sizeof record, MSG_WAITALL) == (ssize_t)sizeof record &&
           record.type != PROTOCOL_EXIT) {
        registers_lock(registers);
        answer(pmu, &record);
        registers_unlock(registers);
        if (send(connection, &record, sizeof record, MSG_NOSIGNAL) != (ssize_t)sizeof record)
            return;
    }
}

/* The node's faults, NULL and no complaint: it has none. */
static struct fault_list *load_faults(const char *folder, const struct pmu_table *table,
                                      const struct sim_config *config, char *error, size_t size, int *failed) {
    char path[4200], *text = NULL;
    size_t room = 0;
    *failed = 0;
    snprintf(path, sizeof path, "%s/%s", folder, FAULTS_FILE_NAME);
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    ssize_t length = getdelim(&text, &room, '\0', file);
    fclose(file);
    struct fault_list *list = malloc(sizeof *list);
    if (list)
        *failed = faults_parse(length > 0 ? text : "", path, table, config, list, error, size) != NULL;
    else
        *failed = snprintf(error, size, "out of memory") > 0;
    free(text);
    return list;
}

static void note(void *folder, const char *counter, uint64_t select, const char *reason) {
    note_not_counted(folder, getppid(), counter, select, reason);
}

int main(void) {
    char folder[4096], path[4200], denied[4096], error[512];
    struct registers_file registers;
    pid_t client = getppid();
    signal(SIGINT, SIG_IGN); /* the client decides when it ends */
    if (client_variable(client, NODE_DIR_VARIABLE, folder, sizeof folder) != 0) {
        fputs("likwid-accessD: no process above this one belongs to a virtual node: start it with assay vnode\n",
              stderr);
        return 1;
    }
    struct node_file *node = map_node(folder);
    if (!node)
        return complain("not a virtual node", folder);
    if (registers_open(folder, client, &registers) != 0)
        return complain("cannot keep registers here", folder);
    struct pmu_table *table = malloc(sizeof *table);
    snprintf(path, sizeof path, "%s/events", folder);
    if (!table || table_load(path, table, error, sizeof error)) {
        fprintf(stderr, "likwid-accessD: %s\n", table ? error : "out of memory");
        return 1;
    }
    int failed;
    struct fault_list *faults = load_faults(folder, table, &node->config, error, sizeof error, &failed);
    if (failed) {
        fprintf(stderr, "likwid-accessD: %s\n", error);
        return 1;
    }
    int has_denied = client_variable(client, DENIED_VARIABLE, denied, sizeof denied) == 0;
    struct pmu pmu = {.table = table,
                      .view = {.node = node, .client = client},
                      .state = registers.state,
                      .denied = has_denied ? denied : NULL,
                      .faults = faults,
                      .not_counted = note,
                      .context = folder};
    int connection = await_client(folder);
    if (connection >= 0)
        serve(&pmu, &registers, connection);
    free(faults);
    free(table);
    return connection < 0;
}
