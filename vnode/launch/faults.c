/* faults.c - gives a node faults.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vnode.h"
#include "vnode/node_file.h"
#include "vnode/pmu/fault_file.h"
#include "vnode_private.h"

/* What the node's hardware is. 0, or -1 and errno. */
static int read_config(const struct vnode *node, struct sim_config *out) {
    char path[COMMAND_PATH];
    struct node_file *head = calloc(1, sizeof *head);
    snprintf(path, sizeof path, "%s/%s", node->folder, NODE_FILE_NAME);
    FILE *file = head ? fopen(path, "re") : NULL;
    int read = file && fread(head, offsetof(struct node_file, lock), 1, file) == 1;
    if (read)
        *out = head->config;
    if (file)
        fclose(file);
    free(head);
    return read ? 0 : -1;
}

/* The text, and the seed of this run behind it. */
static int write_faults(const struct vnode *node, const char *text, const char *run, uint64_t seed) {
    char path[COMMAND_PATH];
    snprintf(path, sizeof path, "%s/%s", node->folder, FAULTS_FILE_NAME);
    FILE *file = fopen(path, "we");
    if (!file)
        return -1;
    fputs(text, file);
    if (run)
        fprintf(file, "\n* seed %llu\n", (unsigned long long)faults_seed(seed, run));
    int failed = ferror(file);
    return fclose(file) == 0 && !failed ? 0 : -1;
}

/* `table` and `list` are scratch. */
static int set_faults(const struct vnode *node, const char *file, const char *text, const char *run,
                      struct pmu_table *table, struct fault_list *list, char *error, size_t size) {
    char path[COMMAND_PATH];
    struct sim_config config;
    snprintf(path, sizeof path, "%s/events", node->folder);
    if (table_load(path, table, error, size))
        return -1;
    if (read_config(node, &config) != 0) {
        snprintf(error, size, "%s: cannot read the node's description: %s", node->folder, strerror(errno));
        return -1;
    }
    if (faults_parse(text, file, table, &config, list, error, size))
        return -1;
    if (write_faults(node, text, run, list->seed) == 0)
        return 0;
    snprintf(error, size, "%s: cannot write the faults there: %s; free space or set TMPDIR", node->folder,
             strerror(errno));
    return -1;
}

int vnode_set_faults(const struct vnode *node, const char *file, const char *text, const char *run, char *error,
                     size_t error_size) {
    struct pmu_table *table = malloc(sizeof *table);
    struct fault_list *list = malloc(sizeof *list);
    int failed = -1;
    if (table && list)
        failed = set_faults(node, file, text, run, table, list, error, error_size);
    else
        snprintf(error, error_size, "out of memory");
    free(table);
    free(list);
    return failed;
}
