/* protocol.c - what a client may send to the access daemon: records of 32 bytes, cut off anywhere. Each whole record
 * before an EXIT gets one valid answer, and nothing else is sent; counters keep their bits; no lock is left behind. The
 * input is the byte stream. Includes the daemon's main file to reach its loop.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
int daemon_main(void);
#define main daemon_main
#include "vnode/pmu/daemon.c"
#undef main

#include <sys/mman.h>

#include "node.h"

const char fuzz_name[] = "protocol";
const unsigned fuzz_inputs = 6000;

enum { STREAM_MAX = 128 * sizeof(struct protocol_record) }; /* fits in a socket's buffer */

static const struct pmu_table *table;
static struct registers_file registers;
static struct fuzz_node *node;

static void start(void) {
    table = load_events(PMU_EVENTS);
    node = calloc(1, sizeof *node);
    registers.fd = memfd_create("registers", 0);
    FUZZ_CHECK(node && registers.fd >= 0, "cannot start");
}

/* The number of records in the stream that must be answered. */
static size_t to_answer(const uint8_t *data, size_t size) {
    struct protocol_record record;
    size_t count = 0;
    for (; size >= sizeof record; data += sizeof record, size -= sizeof record, count++) {
        memcpy(&record, data, sizeof record);
        if (record.type == PROTOCOL_EXIT)
            break;
    }
    return count;
}

static void check_answer(const struct protocol_record *answer, const uint8_t *question) {
    struct protocol_record asked;
    memcpy(&asked, question, sizeof asked);
    FUZZ_CHECK(answer->cpu == asked.cpu && answer->reg == asked.reg && answer->device == asked.device &&
                   answer->type == asked.type,
               "an answer to another question");
    FUZZ_CHECK(answer->error == PMU_OK || answer->error == PMU_UNKNOWN || answer->error == PMU_RESTRICTED ||
                   answer->error == PMU_NO_CPU || answer->error == PMU_NO_REGISTER || answer->error == PMU_NO_DEVICE,
               "answer %d", answer->error);
    int known = asked.type == PROTOCOL_READ || asked.type == PROTOCOL_WRITE || asked.type == PROTOCOL_CHECK;
    FUZZ_CHECK(known || answer->error == PMU_UNKNOWN, "type %d is answered", asked.type);
}

/* Checks the eight counters of a core by reading them as a client. */
static void check_counters(struct pmu *pmu) {
    for (uint32_t core = 0; core < NODE_CORES; core++)
        for (uint32_t i = 0; i < CORE_COUNTERS; i++) {
            uint64_t value;
            FUZZ_CHECK(pmu_read(pmu, 0, core, 0xc1 + i, &value) == PMU_OK && value >> table->core.width == 0,
                       "counter %u of core %u shows %llx", i, core, (unsigned long long)value);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int ends[2];
    size_t length = size < STREAM_MAX ? size : STREAM_MAX, expected = to_answer(data, length);
    struct protocol_record answer;
    int refused = 0;
    if (!table)
        start();
    init_node(node);
    registers.state = &node->state;
    struct pmu pmu = make_pmu(node, table);
    count_all(node, UINT64_C(1) << 40);
    FUZZ_CHECK(socketpair(AF_LOCAL, SOCK_STREAM, 0, ends) == 0 &&
                   (length == 0 || send(ends[0], data, length, 0) == (ssize_t)length),
               "cannot send");
    shutdown(ends[0], SHUT_WR);
    pmu.view.client = getppid(); /* a daemon ends with its client, which is its parent */
    serve(&pmu, &registers, ends[1], -1);
    close(ends[1]);
    for (size_t i = 0; i < expected; i++) {
        FUZZ_CHECK(recv(ends[0], &answer, sizeof answer, MSG_WAITALL) == (ssize_t)sizeof answer, "no answer %zu", i);
        check_answer(&answer, data + i * sizeof answer);
        refused |= answer.error != PMU_OK;
    }
    if (!refused)
        fuzz_accept();
    FUZZ_CHECK(recv(ends[0], &answer, 1, 0) <= 0, "more than %zu answers", expected);
    close(ends[0]);
    check_counters(&pmu);
    FUZZ_CHECK(node->file.lock == 0, "the node stays locked");
    return 0;
}
