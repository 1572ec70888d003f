/* host_perf.c - sampling with perf, replaced by a stand-in program of that name.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

#include "validate/sampling/native.h"
#include "validate/sampling/perf.h"

/* A stand-in for perf and a program with 5000 events: 5000 / period samples, three quarters of them in one function.
 * The event r2:u does not exist; r3:u can be counted but not sampled. */
static const char answers[] =
    "#!/bin/sh\n"
    "case \"$*\" in\n"
    "'stat -x, -e r1:u -- prog a') echo 'hello'; echo '5000,,r1:u,1000,100.00,,' >&2 ;;\n"
    "'stat -x, -e r2:u -- prog a') echo '<not supported>,,r2:u,0,100.00,,' >&2 ;;\n"
    "'stat -x, -e r3:u -- prog a') echo '77,,r3:u,1000,100.00,,' >&2 ;;\n"
    "'record -q -N -e r1:u -c '*' -o '*' -- prog a') echo \"$7\" >\"$9\" ;;\n"
    "record*) echo 'Error: no samples of it' >&2; exit 1 ;;\n"
    "'script -i '*) for i in $(seq $((5000 / $(cat \"$3\")))); do\n"
    "    [ $((i % 4)) -eq 0 ] && echo ' 55e9 [unknown] (/bin/prog)' || echo ' 7f91 work (/bin/prog)'; done\n"
    "    echo 'prog 1 PERF_RECORD_LOST lost 2' ;;\n"
    "*) echo \"not understood: $*\" >&2; exit 1 ;;\n"
    "esac\n";

static char folder[] = "/tmp/assay-perf-XXXXXX";
static char *const program[] = {"prog", "a", NULL};

static struct perf_run made_run(void) {
    return (struct perf_run){.program = program, .work = folder, .timeout = 60};
}

TEST(counts_are_read) {
    struct perf_run run = made_run();
    struct error error;
    uint64_t count = 0;
    assert_int_equal(perf_count(&run, "r1:u", &count, &error), 0);
    assert_int_equal(count, 5000);
    assert_int_equal(perf_count(&run, "r2:u", &count, &error), -1);
    assert_string_equal(error.text, "perf: r2:u: <not supported>,,r2:u,0,100.00,,");
}

TEST(samples_are_read_and_nothing_is_left) {
    struct perf_run run = made_run();
    struct error error;
    char file[128];
    json_t *found = perf_sample(&run, "r1:u", 1000, &error), *functions = json_object_get(found, "functions");
    assert_non_null(found);
    assert_int_equal(json_array_size(functions), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(functions, 0), "function")), "work");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(functions, 0), "samples")), 4);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(functions, 1), "samples")), 1);
    assert_int_equal(json_integer_value(json_object_get(found, "lost")), 2);
    json_decref(found);
    snprintf(file, sizeof file, "%s/perf.data", folder);
    assert_int_not_equal(access(file, F_OK), 0);
    assert_null(perf_sample(&run, "r3:u", 1000, &error));
    assert_string_equal(error.text, "perf: r3:u: Error: no samples of it");
}

/* The samples of a function in a run, for an event and a period of the plan. */
static json_int_t samples_of(const json_t *run, const char *function, size_t event, size_t period) {
    json_t *entry;
    size_t index;
    json_array_foreach(json_object_get(run, "functions"), index, entry) {
        const char *name = json_string_value(json_object_get(entry, "function"));
        if ((name == NULL) == (function == NULL) && (name == NULL || strcmp(name, function) == 0))
            return json_integer_value(
                json_array_get(json_array_get(json_object_get(entry, "counts"), event), period + 1));
    }
    return -1;
}

TEST(events_are_put_together_with_what_stands_in_the_way) {
    struct error error;
    struct sampling sampling = {.d.v.options.timeout = 60};
    snprintf(sampling.d.v.work.folder, sizeof sampling.d.v.work.folder, "%s", folder);
    sampling.plan = json_pack("{s:[{s:s, s:s}, {s:s, s:s}, {s:s}], s:[i, i]}", "events", "event", "A", "perf", "r2:u",
                              "event", "B", "perf", "r1:u", "event", "C", "periods", 100, 1000);
    json_t *run = native_sample(&sampling, program, &error), *obstacles = json_object_get(run, "obstacles");
    assert_non_null(run);
    assert_non_null(strstr(json_string_value(json_array_get(obstacles, 0)), "not supported"));
    assert_true(json_is_null(json_array_get(obstacles, 1)));
    assert_non_null(strstr(json_string_value(json_array_get(obstacles, 2)), "perf has no name for it"));
    assert_true(json_is_null(json_array_get(json_object_get(run, "totals"), 0)));
    assert_int_equal(json_integer_value(json_array_get(json_object_get(run, "totals"), 1)), 5000);
    assert_int_equal(samples_of(run, "work", 1, 0), 38);
    assert_int_equal(samples_of(run, NULL, 1, 0), 12);
    assert_int_equal(samples_of(run, "work", 1, 1), 4);
    assert_int_equal(samples_of(run, "work", 0, 0), 0);
    assert_int_equal(json_integer_value(json_object_get(run, "lost")), 4);
    json_decref(run);
    json_decref(sampling.plan);
    sampling.plan = json_pack("{s:[{s:s, s:s}], s:[i]}", "events", "event", "A", "perf", "r2:u", "periods", 100);
    assert_null(native_sample(&sampling, program, &error));
    assert_non_null(strstr(error.text, "r2:u: <not supported>"));
    json_decref(sampling.plan);
}

static int make_perf(void **state) {
    char file[128], path[4096];
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/perf", folder);
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
    FILE *script = fopen(file, "w");
    if (script == NULL || fputs(answers, script) == EOF || fclose(script) != 0 || chmod(file, 0700) != 0)
        return -1;
    return setenv("PATH", path, 1);
}

static int remove_perf(void **state) {
    char file[128];
    (void)state;
    snprintf(file, sizeof file, "%s/perf", folder);
    return unlink(file) == 0 ? rmdir(folder) : -1;
}

ALL_TESTS(make_perf, remove_perf)
