/* kernel_assemble.c - kernels become objects that run; compilers that fail are quoted with the .ptt's line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel_fixture.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>

static struct ptt read_body(const struct scratch *scratch, int streams, const char *body) {
    char text[2048];
    struct ptt ptt;
    struct error error;
    int header = snprintf(text, sizeof text, UNCHECKED_HEADER, streams);
    snprintf(text + header, sizeof text - (size_t)header, "%s", body);
    scratch_write(scratch, text);
    assert_int_equal(ptt_read(&ptt, scratch->path, &error), 0);
    return ptt;
}

static int assemble_body(const struct scratch *scratch, const char *body, char object[PATH_MAX], struct error *error) {
    struct ptt ptt = read_body(scratch, 2, body);
    int status = kernel_assemble(&ptt, scratch->folder, object, PATH_MAX, error);
    ptt_free(&ptt);
    return status;
}

static size_t files_in(const char *folder) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

/* b(i) = 2*a(i) + b(i), three times: a = 1, b = 0 -> 6; elements after the sweep are unchanged. SSE2, so that it runs
 * on any x86-64. */
KERNEL_TEST(assembled_kernels_run) {
    char object[PATH_MAX];
    struct error error;
    assert_int_equal(assemble_body(scratch,
                                   "movapd FPR3, [rip+SCALAR]\naddpd FPR3, FPR3\nLOOP 2\n"
                                   "movapd FPR1, [STR0+GPR1*8]\nmulpd FPR1, FPR3\n"
                                   "addpd FPR1, [STR1 + GPR1*8]\nmovapd [STR1+GPR1*8], FPR1\n",
                                   object, &error),
                     0);
    void *library = dlopen(object, RTLD_NOW);
    assert_non_null(library);
    const struct kernel_object *info = dlsym(library, KERNEL_OBJECT_SYMBOL);
    kernel_run *run;
    *(void **)&run = dlsym(library, KERNEL_RUN_SYMBOL);
    assert_non_null(info);
    assert_non_null(run);
    assert_int_equal(info->version, KERNEL_OBJECT_VERSION);
    assert_int_equal(info->streams, 2);
    assert_int_equal(info->elements, 2);
    assert_int_equal(info->element_bytes, 8);
    assert_true(info->loop_begin < info->loop_end && info->loop_end < info->kernel_end);
    _Alignas(16) double a[8] = {1, 1, 1, 1, 1, 1, 1, 1}, b[8] = {0};
    const struct kernel_call call = {.elements = 6, .stream = {a, b}, .sweeps = 3};
    run(&call);
    for (int i = 0; i < 8; i++)
        assert_true(b[i] == (i < 6 ? 6.0 : 0.0));
    dlclose(library);
}

KERNEL_TEST(object_is_made_once_without_temporary_files) {
    char first[PATH_MAX], second[PATH_MAX], third[PATH_MAX];
    struct error error;
    assert_int_equal(assemble_body(scratch, "LOOP 2\nmovapd FPR1, [STR0+GPR1*8]\n", first, &error), 0);
    assert_int_equal(files_in(scratch->folder), 2); /* the .ptt and the object, no temporary files */
    setenv("CC", "/nowhere/cc", 1);
    assert_int_equal(assemble_body(scratch, "LOOP 2\nmovapd FPR1, [STR0+GPR1*8]\n", second, &error), 0);
    unsetenv("CC");
    assert_string_equal(first, second);
    assert_int_equal(assemble_body(scratch, "LOOP 2\nmovapd FPR2, [STR0+GPR1*8]\n", third, &error), 0);
    assert_string_not_equal(first, third);
}

KERNEL_TEST(names_stand_for_registers) {
    static const struct {
        const char *name, *reg;
    } cases[] = {{"GPR1", "rax"},    {"GPR2", "rbx"},      {"GPR10", "r11"},   {"GPR14", "r15"},    {"FPR1", "xmm0"},
                 {"FPR16", "xmm15"}, {"ARG1", "rdi"},      {"ARG6", "r9"},     {"STR0", "rsi"},     {"STR4", "r9"},
                 {"SPTR", "rsp"},    {"BPTR", "rbp"},      {"GPR15", "GPR15"}, {"GPR0", "GPR0"},    {"FPR17", "FPR17"},
                 {"ARG7", "ARG7"},   {"MYGPR1", "MYGPR1"}, {"GPR1x", "GPR1x"}, {"SCALAR", "SCALAR"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[64], wanted[64];
        snprintf(body, sizeof body, "LOOP 2\nx [%s+8]\n", cases[i].name);
        snprintf(wanted, sizeof wanted, "\nx [%s+8]\n", cases[i].reg);
        struct ptt ptt = read_body(scratch, 5, body);
        char *text = kernel_assembly(&ptt);
        assert_non_null(text);
        assert_non_null(strstr(text, wanted));
        free(text);
        ptt_free(&ptt);
    }
}

KERNEL_TEST(failures_name_the_line_and_leave_nothing) {
    static const struct {
        const char *compiler, *body, *message;
    } cases[] = {
        {"gcc", "LOOP 2\nnop\nnonsense FPR1\n", "x.ptt:13: "},
        {"gcc", "nonsense FPR1\nLOOP 2\nnop\n", "x.ptt:11: "},
        {"gcc", "LOOP 2\nmovapd FPR1, [rip+OTHER]\n", "x.ptt:12: undefined reference to `OTHER'"},
        {"/nowhere/cc", "LOOP 2\nnop\n", "x.ptt: /nowhere/cc failed with status 127: /nowhere/cc: No such file"},
        {"false", "LOOP 2\nnop\n", "x.ptt: false failed with status 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char object[PATH_MAX];
        struct error error;
        setenv("CC", cases[i].compiler, 1);
        assert_int_equal(assemble_body(scratch, cases[i].body, object, &error), -1);
        unsetenv("CC");
        assert_error(&error, cases[i].message);
        assert_int_equal(files_in(scratch->folder), 1);
    }
}

/* Some versions of GNU ld print the section before the message, others do not. */
KERNEL_TEST(linkers_of_both_kinds_are_quoted_alike) {
    static const char *const sections[] = {"", "(.text+0x14): "};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        char linker[PATH_MAX], object[PATH_MAX];
        snprintf(linker, sizeof linker, "%s/linker", scratch->folder);
        FILE *file = fopen(linker, "w");
        assert_non_null(file);
        fprintf(file, "#!/bin/sh\necho 'ld: x.o: in function:' >&2\n");
        fprintf(file, "echo '%s:12:%sundefined reference' >&2\nexit 1\n", scratch->path, sections[i]);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(chmod(linker, 0700), 0);
        setenv("CC", linker, 1);
        struct error error;
        assert_int_equal(assemble_body(scratch, "LOOP 2\nnop\n", object, &error), -1);
        unsetenv("CC");
        assert_error(&error, "x.ptt:12: undefined reference; correct");
        unlink(linker);
    }
}

KERNEL_TEST(a_missing_folder_or_compiler_is_named) {
    char object[PATH_MAX], short_one[8];
    struct error error;
    struct ptt ptt = read_body(scratch, 1, "LOOP 2\nnop\n");
    assert_int_equal(kernel_assemble(&ptt, "/nowhere/cache", object, sizeof object, &error), -1);
    assert_error(&error, "/nowhere/cache/x-");
    assert_error(&error, "No such file or directory; give a folder that can be written to");
    assert_int_equal(kernel_assemble(&ptt, scratch->folder, short_one, sizeof short_one, &error), -1);
    assert_error(&error, "path too long for x");
    char *path = strdup(getenv("PATH"));
    assert_non_null(path);
    setenv("PATH", "/nowhere", 1);
    assert_int_equal(kernel_assemble(&ptt, scratch->folder, object, sizeof object, &error), -1);
    setenv("PATH", path, 1);
    free(path);
    assert_error(&error, "none of gcc, cc, clang is in PATH; install gcc, or set CC");
    ptt_free(&ptt);
}
