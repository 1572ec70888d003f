/* program.c - how a virtual node runs a program, decided from its file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "program.h"

/* ELF file header: System V ABI, "ELF Header". */
enum { ELF_CLASS = 4, ELF_CLASS_64 = 2, ELF_DATA = 5, ELF_LITTLE = 1, ELF_MACHINE = 18, ELF_HEAD = 20 };
enum { MACHINE_386 = 3, MACHINE_X86_64 = 62 };

static unsigned length_of(const char *text) {
    unsigned length = 0;
    while (text[length])
        length++;
    return length;
}

static int starts_with(const char *text, const char *start) {
    while (*start && *text == *start)
        text++, start++;
    return *start == '\0';
}

static const char *base_name(const char *path) {
    const char *name = path;
    for (; *path; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

/* Writes the first `length` characters of `folder` and `name` to `out`. 0, or -1: too long. */
static int join(const char *folder, unsigned length, const char *name, char out[PROGRAM_PATH]) {
    unsigned tail = length_of(name);
    if (length + tail >= PROGRAM_PATH)
        return -1;
    for (unsigned i = 0; i < length; i++)
        out[i] = folder[i];
    for (unsigned i = 0; i <= tail; i++)
        out[length + i] = name[i];
    return 0;
}

static int is_daemon(const char *path, const char *tools) {
    return starts_with(path, tools) && starts_with(path + length_of(tools), "/bin/likwid-accessD") &&
           path[length_of(tools) + length_of("/bin/likwid-accessD")] == '\0';
}

/* LIKWID's tools are the scripts next to likwid-perfctr. likwid-bench is not one: it is measured. */
static int is_tool(const char *path, const struct program_files *files) {
    char perfctr[PROGRAM_PATH];
    const char *name = base_name(path);
    return starts_with(name, "likwid-") && join(path, (unsigned)(name - path), "likwid-perfctr", perfctr) == 0 &&
           files->exists(perfctr);
}

enum program_kind program_kind(const char *path, const char *tools, const struct program_files *files) {
    unsigned char head[ELF_HEAD];
    long length = files->start(path, head, sizeof head);
    if (files->privileged(path))
        return PROGRAM_PRIVILEGED;
    if (is_daemon(path, tools) || (length >= 2 && head[0] == '#' && head[1] == '!' && is_tool(path, files)))
        return PROGRAM_LIKWID;
    if (length < ELF_HEAD || head[0] != 0x7f || head[1] != 'E' || head[2] != 'L' || head[3] != 'F')
        return PROGRAM_COUNTED;
    int little = head[ELF_DATA] == ELF_LITTLE;
    int machine = head[ELF_MACHINE + !little] | head[ELF_MACHINE + little] << 8;
    if (head[ELF_CLASS] == ELF_CLASS_64 && machine == MACHINE_X86_64)
        return PROGRAM_COUNTED;
    return machine == MACHINE_386 || machine == MACHINE_X86_64 ? PROGRAM_32_BIT : PROGRAM_FOREIGN;
}

int program_uses_engine(enum program_kind kind) {
    return kind == PROGRAM_COUNTED || kind == PROGRAM_32_BIT;
}

const char *program_obstacle(enum program_kind kind) {
    switch (kind) {
    case PROGRAM_PRIVILEGED:
        return "it gets rights of its own (set-user-id, set-group-id or file capabilities)";
    case PROGRAM_32_BIT:
        return "it is a 32-bit program";
    case PROGRAM_FOREIGN:
        return "it is a program of another architecture";
    case PROGRAM_COUNTED:
    case PROGRAM_LIKWID:
        break;
    }
    return 0;
}
