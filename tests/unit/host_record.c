/* host_record.c - record files: written whole, read strictly, locked. SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "folder.h"

#include "validate/host/text.h"
#include "validate/record/record.h"

static const char whole[] = "{\"schema\": 1, \"assay\": \"0\", \"started\": \"t\", \"seconds\": 0, \"faults\": [],\n"
                            " \"node\": {\"kind\": \"native\", \"name\": \"n\", \"arch\": \"a\"},\n"
                            " \"metrics\": [], \"samples\": [], \"failures\": []}";

static void must_refuse(const char *text, const char *complaint) {
    struct error error;
    assert_int_equal(text_write("record.test.json", text, &error), 0);
    assert_null(record_read("record.test.json", &error));
    assert_non_null(strstr(error.text, complaint));
    assert_null(strchr(error.text, '\n'));
    unlink("record.test.json");
}

ALL_TESTS(folder_enter, folder_remove)

TEST(reads_what_it_wrote) {
    struct error error;
    json_t *value = json_loads(whole, 0, NULL);
    assert_int_equal(record_write("record.test.json", value, &error), 0);
    assert_int_not_equal(access("record.test.json.tmp", F_OK), 0);
    json_t *again = record_read("record.test.json", &error);
    assert_true(json_equal(value, again));
    json_decref(value);
    json_decref(again);
    unlink("record.test.json");
}

TEST(rounds_like_a_record) {
    struct error error;
    json_t *value = json_loads(whole, 0, NULL);
    json_object_set_new(value, "seconds", json_real(100 * (11 * 97 / 2000.0 - 1)));
    json_object_set_new(value, "metrics", json_pack("[{s:f, s:I}]", "expected", 1 / 3.0, "n", 12345678901234567));
    assert_int_equal(record_write("record.test.json", value, &error), 0);
    json_t *written = json_load_file("record.test.json", 0, NULL);
    assert_false(json_equal(value, written));
    record_round(value);
    assert_true(json_equal(value, written));
    json_decref(value);
    json_decref(written);
    unlink("record.test.json");
}

TEST(reads_what_it_wrote_compressed) {
    struct error error;
    size_t size;
    json_t *value = json_loads(whole, 0, NULL);
    assert_int_equal(record_write("record.test.json.gz", value, &error), 0);
    char *bytes = text_read_bytes("record.test.json.gz", &size, &error);
    assert_memory_equal(bytes, "\x1f\x8b", 2); /* magic number of gzip */
    json_t *again = record_read("record.test.json.gz", &error);
    assert_true(json_equal(value, again));
    json_decref(again);
    /* under a name that does not tell */
    assert_int_equal(text_replace_bytes("record.test.json", bytes, size, &error), 0);
    again = record_part("record.test.json", "node");
    assert_true(json_equal(json_object_get(value, "node"), again));
    json_decref(again);
    /* cut off, and with a wrong checksum, which is in the last eight bytes with the length */
    assert_int_equal(text_replace_bytes("record.test.json", bytes, size - 1, &error), 0);
    assert_null(record_read("record.test.json", &error));
    assert_non_null(strstr(error.text, "record.test.json: damaged or cut off"));
    bytes[size - 8] ^= 1;
    assert_int_equal(text_replace_bytes("record.test.json", bytes, size, &error), 0);
    assert_null(record_read("record.test.json", &error));
    assert_non_null(strstr(error.text, "record.test.json: damaged or cut off"));
    free(bytes);
    json_decref(value);
    unlink("record.test.json");
    unlink("record.test.json.gz");
}

TEST(reads_one_part_of_a_record) {
    static const struct {
        const char *text, *kind;
    } cases[] = {
        {whole, "native"},
        {"{\"a\": [\"node\", {\"node\": {\"kind\": \"no\"}}], \"b\": \"node\", \"node\" :\n{\"kind\": \"yes\"}, ...",
         "yes"},
        {"{\"a\": \"\\\"node: {\", \"node2\": {}, \"nod\": {}, \"\\node\": {}, \"node\": {\"kind\": \"}\"}}", "}"},
        {"{\"\\node\": {\"kind\": \"no\"}}", NULL},
        {"{\"a\": {\"node\": {\"kind\": \"no\"}}}", NULL},
        {"{\"b\": \"node\", \"a\": {\"kind\": \"no\"}}", NULL},
        {"{\"node\": {\"kind\": \"cut off", NULL},
        {"{\"node\": 1}", NULL},
        {"", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error;
        assert_int_equal(text_write("record.test.json", cases[i].text, &error), 0);
        json_t *node = record_part("record.test.json", "node");
        if (cases[i].kind == NULL)
            assert_null(node);
        else
            assert_string_equal(json_string_value(json_object_get(node, "kind")), cases[i].kind);
        json_decref(node);
    }
    unlink("record.test.json");
    assert_null(record_part("record.test.json", "node"));
}

/* The value is longer than a piece that is read at once, and begins at each of its last characters. */
TEST(reads_a_part_across_pieces) {
    enum { PIECE = 1 << 16, LONG = 2 * PIECE };
    static char text[PIECE + LONG + 64];
    for (int before = PIECE - 16; before < PIECE + 2; before++) {
        struct error error;
        int at = snprintf(text, sizeof text, "{\"a\": \"%*s\", \"node\": [\"%*s\"]}", before - 20, "", LONG, "");
        assert_in_range(at, 1, sizeof text - 1);
        assert_int_equal(text_write("record.test.json", text, &error), 0);
        json_t *node = record_part("record.test.json", "node");
        assert_int_equal(json_string_length(json_array_get(node, 0)), LONG);
        json_decref(node);
    }
    unlink("record.test.json");
}

TEST(refuses_what_is_no_record) {
    must_refuse("", "record.test.json:");
    must_refuse("[]", "no JSON object");
    must_refuse("{\"schema\": 1,\n \"assay\"", "record.test.json:2");
    must_refuse("{\"schema\": 1}", "record.test.json: assay is missing");
    char other[sizeof whole];
    memcpy(other, whole, sizeof whole);
    other[11] = '2';
    must_refuse(other, "schema 2");
}

TEST(unwritable_leaves_nothing) {
    struct error error;
    json_t *value = json_object();
    assert_int_equal(record_write("/nonexistent/record.json", value, &error), -1);
    assert_non_null(strstr(error.text, "/nonexistent/record.json"));
    /* Like a full disk: the file can be opened, but writing fails. */
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 1, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    static const char *const names[] = {"full.test.json", "full.test.json.gz"};
    for (size_t i = 0; i < 2; i++) {
        int written = record_write(names[i], value, &error);
        assert_int_equal(written, -1);
        assert_non_null(strstr(error.text, strerror(EFBIG)));
        assert_int_not_equal(access(names[i], F_OK), 0);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_not_equal(access("full.test.json.tmp", F_OK), 0);
    assert_int_not_equal(access("full.test.json.gz.tmp", F_OK), 0);
    json_decref(value);
}

TEST(one_writer_at_a_time) {
    struct error error;
    int first, second;
    assert_int_equal(record_lock("lock.test.json", &first, &error), 0);
    assert_true(first >= 0);
    assert_int_equal(record_lock("lock.test.json", &second, &error), -1);
    assert_non_null(strstr(error.text, "another campaign"));
    record_unlock("lock.test.json", first);
    assert_int_equal(record_lock("lock.test.json", &second, &error), 0);
    assert_true(second >= 0);
    record_unlock("lock.test.json", second);
}
