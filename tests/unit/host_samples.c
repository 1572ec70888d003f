/* host_samples.c - samples that a node's engines have left, functions of ELF files, what perf prints.
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "folder.h"

#include "validate/host/symbols.h"
#include "validate/sampling/perf.h"
#include "validate/sampling/samples.h"

/* A function to look up, by offsets into it. */
__attribute__((noinline)) int host_samples_here(int value);
int host_samples_here(int value) {
    return value * 7 + 1;
}

/* A symbol of nine bytes, followed by seven without a symbol. */
extern const char host_samples_nine[];
__asm__(".text\n"
        ".type host_samples_nine, @function\n"
        "host_samples_nine: .skip 9, 0x90\n"
        ".size host_samples_nine, 9\n"
        ".skip 7, 0x90\n");

/* The file offset of this program's code, from the kernel. */
static uint64_t offset_of(uintptr_t code) {
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long long begin, end, offset;
    char line[512];
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%llx-%llx %*s %llx", &begin, &end, &offset) == 3 && code >= begin && code < end) {
            fclose(maps);
            return code - begin + offset;
        }
    fail_msg("no map of %p", (void *)code);
    return 0;
}

TEST(functions_are_found_by_their_place_in_the_file) {
    struct symbols *symbols = symbols_read("/proc/self/exe");
    uint64_t at = offset_of((uintptr_t)host_samples_here);
    assert_non_null(symbols);
    assert_string_equal(symbols_find(symbols, at), "host_samples_here");
    assert_string_equal(symbols_find(symbols, at + 1), "host_samples_here");
    assert_true(symbols_find(symbols, at - 1) == NULL ||
                strcmp(symbols_find(symbols, at - 1), "host_samples_here") != 0);
    at = offset_of((uintptr_t)host_samples_nine);
    assert_string_equal(symbols_find(symbols, at + 8), "host_samples_nine");
    assert_null(symbols_find(symbols, at + 9));
    assert_null(symbols_find(symbols, 0));
    symbols_free(symbols);
    assert_null(symbols_read("/proc/self/status"));
    assert_null(symbols_read("/dev/null"));
    assert_null(symbols_read("/nowhere"));
}

static void write_samples(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", test_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static json_t *read_alone(const char *text, struct error *error) {
    error->text[0] = '\0';
    write_samples("samples.7.0", text);
    return samples_read(test_folder, 1, 2, error);
}

static json_int_t count(const json_t *entry, size_t event, size_t index) {
    return json_integer_value(json_array_get(json_array_get(json_object_get(entry, "counts"), event), index));
}

TEST(samples_are_summed_by_function) {
    struct error error;
    char text[1024];
    uint64_t at = offset_of((uintptr_t)host_samples_here);
    snprintf(
        text, sizeof text,
        "object 0 -\nobject 1 /proc/self/exe\nat 1 %jx 10 2 1\nat 1 %jx 5 1 0\nat 0 0 3 0 1\nunits 1\nlost 2\nend\n",
        (uintmax_t)at, (uintmax_t)at + 1);
    write_samples("samples.8.0", text);
    write_samples("samples.9.0", "");
    snprintf(text, sizeof text, "object 0 /proc/self/exe\nat 0 %jx 100 20 10\nunits 2\nlost 0\nend\n", (uintmax_t)at);
    json_t *found = read_alone(text, &error), *functions = json_object_get(found, "functions"), *entry;
    assert_non_null(found);
    assert_int_equal(json_array_size(functions), 2);
    assert_int_equal(json_integer_value(json_object_get(found, "units")), 3);
    assert_int_equal(json_integer_value(json_object_get(found, "lost")), 2);
    assert_int_equal(json_integer_value(json_object_get(found, "unfinished")), 1);
    size_t index;
    json_array_foreach(functions, index, entry) {
        const char *name = json_string_value(json_object_get(entry, "function"));
        assert_int_equal(count(entry, 0, 0), name != NULL ? 115 : 3);
        assert_int_equal(count(entry, 0, 1), name != NULL ? 23 : 0);
        assert_int_equal(count(entry, 0, 2), name != NULL ? 11 : 1);
        if (name != NULL)
            assert_string_equal(name, "host_samples_here");
    }
    json_decref(found);
    write_samples("samples.8.0", "end\n");
    write_samples("samples.9.0", "end\n");
}

TEST(damaged_samples_are_refused_with_their_line) {
    static const char *const damaged[][2] = {
        {"object 0 -\nat 0 0 1 2 3\nunits 1\nlost 0\n", "samples.7.0:4: it has no end"},
        {"object 1 -\n", "samples.7.0:1: no object that follows"},
        {"object 0 -\nat 1 0 1 2 3\n", "samples.7.0:2: an object that was not named"},
        {"object 0 -\nat 0 0 1 2\n", "samples.7.0:2: too few counts"},
        {"object 0 -\nat 0 0 1 2 3 4\n", "samples.7.0:2: more counts"},
        {"object 0 -\nfoo\n", "samples.7.0:2: no line of samples"},
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        struct error error;
        assert_null(read_alone(damaged[i][0], &error));
        if (strstr(error.text, damaged[i][1]) == NULL)
            fail_msg("'%s' is not '%s'", error.text, damaged[i][1]);
    }
}

/* Output of perf 6.1. */
TEST(lines_of_perf_are_counted) {
    json_t *found = perf_read("    7f917be39b70 _start (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)\n"
                              "    7f917be3a7ad _dl_start (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)\n"
                              "    7f917be3a7c9 _dl_start (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)\n"
                              "    55e93e557600 [unknown] (/usr/bin/sort)\n"
                              "    55e93e557601 operator new(unsigned long) (/opt/c++)\n"
                              "\n"
                              "sort 21668 PERF_RECORD_LOST lost 12\n");
    static const struct {
        const char *function, *object;
        int samples;
    } wanted[] = {{"_start", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", 1},
                  {"_dl_start", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", 2},
                  {NULL, "/usr/bin/sort", 1},
                  {"operator new(unsigned long)", "/opt/c++", 1}};
    assert_int_equal(json_array_size(found), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *one = json_array_get(found, i);
        const char *function = json_string_value(json_object_get(one, "function"));
        assert_int_equal(json_integer_value(json_object_get(one, "samples")), wanted[i].samples);
        assert_string_equal(json_string_value(json_object_get(one, "object")), wanted[i].object);
        assert_true((function == NULL) == (wanted[i].function == NULL));
        if (function != NULL)
            assert_string_equal(function, wanted[i].function);
    }
    json_decref(found);
}

ALL_TESTS(folder_make, folder_remove)
