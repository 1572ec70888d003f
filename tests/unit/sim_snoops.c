/* sim_snoops.c - unit tests of messages between sockets other than data (snoops, their answers, reads of another
 * socket's memory), and of the slices' counts of their cores' requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

enum { A = 1 << 20 };

static uint64_t answers(const struct node *node, enum sim_distance distance, enum sim_answer answer) {
    return node->counts->memory[0].agent[0].answers[distance][answer] +
           node->counts->memory[0].agent[1].answers[distance][answer];
}

static uint64_t requests(const struct node *node, uint32_t domain, enum sim_request request,
                         enum sim_knowledge knowledge, enum sim_distance distance) {
    return node->counts->domain[domain].slice[0].requests[request][knowledge][distance];
}

/* Both sockets access a line of socket 0 in turn. */
TEST(answers_of_two_sockets) {
    NODE node = node_2x1();
    struct sim_core *own = node_core(&node, 0), *other = node_core(&node, 1);
    sim_load(own, A, 8); /* no other copy */
    assert_int_equal(answers(&node, DISTANCE_LOCAL, ANSWER_INVALID), 1);
    sim_load(other, A, 8); /* forwarded from E, which becomes S */
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_SHARED_FORWARD), 1);
    sim_store(own, A, 8); /* the other socket's F is dropped, its data are not needed */
    assert_int_equal(answers(&node, DISTANCE_LOCAL, ANSWER_INVALID), 2);
    assert_int_equal(node.counts->domain[1].slice[0].clean_given_up, 1);
    sim_load(other, A, 8); /* modified: written to memory */
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_WRITEBACK), 1);
    sim_store(other, A, 8); /* the home's own S is dropped */
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_INVALID), 1);
    assert_int_equal(node.counts->domain[0].slice[0].clean_given_up, 1);
    sim_store(own, A, 8); /* the other socket's M moves here */
    assert_int_equal(answers(&node, DISTANCE_LOCAL, ANSWER_INVALID_FORWARD), 1);
    sim_store_nt(other, A, 32);
    sim_store_nt(other, A + 32, 32); /* bypasses the caches: M is dropped */
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_WRITEBACK), 2);
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_SHARED), 0);
    const struct sim_socket_counts *socket = node.counts->socket;
    assert_int_equal(socket[0].link_snoops_out[0], 3);
    assert_int_equal(socket[1].link_snoops_in[0], 3);
    assert_int_equal(socket[1].link_snoops_out[0], 4);
    assert_int_equal(socket[0].link_snoops_in[0], 4);
    assert_int_equal(socket[1].link_reads_out[0], 2); /* by the two loads */
    assert_int_equal(socket[0].link_reads_in[0], 2);
    assert_int_equal(socket[0].link_reads_out[0], 0);
    assert_int_equal(socket[0].link_data_lines_out[0], socket[1].link_data_lines_in[0]);
    assert_int_equal(socket[1].link_data_lines_out[0], socket[0].link_data_lines_in[0]);
}

/* With four sockets a modified line goes to the requester and to its home; sockets that share the line answer so. */
TEST(answers_of_four_sockets) {
    NODE node = node_make(node_config(4, 1));
    sim_store(node_core(&node, 0), A, 8);
    assert_int_equal(answers(&node, DISTANCE_LOCAL, ANSWER_INVALID), 3);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_FORWARD_WRITEBACK), 1);
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_INVALID), 2);
    sim_load(node_core(&node, 2), A, 8);
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_SHARED), 1);
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_SHARED_FORWARD), 1);
    assert_int_equal(answers(&node, DISTANCE_REMOTE, ANSWER_INVALID), 3);
}

/* Requests by the line's state and its home. */
TEST(requests_of_a_slice) {
    NODE node = node_2x1();
    struct sim_core *own = node_core(&node, 0), *other = node_core(&node, 1);
    sim_load(own, A, 8);
    sim_load(other, A, 8);
    assert_int_equal(requests(&node, 0, REQUEST_DATA_READ, LINE_UNKNOWN, DISTANCE_LOCAL), 1);
    assert_int_equal(requests(&node, 1, REQUEST_DATA_READ, LINE_UNKNOWN, DISTANCE_REMOTE), 1);
    sim_store(other, A, 8); /* its last level holds it */
    assert_int_equal(requests(&node, 1, REQUEST_RFO, LINE_KNOWN, DISTANCE_REMOTE), 1);
    for (uint64_t i = 1; i <= 16; i++) /* others of its set: L2 evicts it clean before L1 does, and then again */
        sim_load(other, A + i * 512 * LINE, 8);
    assert_int_equal(requests(&node, 1, REQUEST_WRITEBACK, LINE_KNOWN, DISTANCE_REMOTE), 1);
    assert_int_equal(total(&node, 1, CORE_L2_L1D_WRITEBACK), 1);
    assert_int_equal(total(&node, 1, CORE_L2_L1D_WRITEBACK_HIT), 0);
    for (int i = 0; i < 2; i++) { /* first over a line modified in the last level, then over an uncached one */
        sim_store_nt(other, A, 32);
        sim_store_nt(other, A + 32, 32);
    }
    assert_int_equal(requests(&node, 1, REQUEST_STREAMING_STORE, LINE_KNOWN, DISTANCE_REMOTE), 1);
    assert_int_equal(requests(&node, 1, REQUEST_STREAMING_STORE, LINE_UNKNOWN, DISTANCE_REMOTE), 1);
    assert_int_equal(node.counts->domain[1].slice[0].streams_over_modified, 1);
}
