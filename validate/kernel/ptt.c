/* ptt.c - reads a .ptt file strictly. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/ptt.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20, NUMBER_MAX = 1000000 };

static const char *const key_names[PTT_KEYS] = {"STREAMS",    "FLOPS",      "BYTES",    "LOADS",
                                                "STORES",     "LOADSTORES", "BRANCHES", "INSTR_CONST",
                                                "INSTR_LOOP", "UOPS",       "LOOP"};

static const char *const type_names[] = {"DOUBLE", "SINGLE", "INT"};

const char *ptt_key_name(enum ptt_key key) {
    return key_names[key];
}

static int read_text(struct ptt *ptt, struct error *error) {
    FILE *file = fopen(ptt->path, "r");
    if (file == NULL)
        return error_set(error, "%s: %s; name a readable .ptt file", ptt->path, strerror(errno));
    ptt->text = malloc(FILE_MAX + 1);
    if (ptt->text == NULL) {
        fclose(file);
        return error_set(error, "%s: no memory to read it; free some", ptt->path);
    }
    size_t length = fread(ptt->text, 1, FILE_MAX + 1, file);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed != 0)
        return error_set(error, "%s: %s; name a readable .ptt file", ptt->path, strerror(failed));
    if (length > FILE_MAX)
        return error_set(error, "%s: larger than %d bytes; this is no .ptt file", ptt->path, FILE_MAX);
    if (memchr(ptt->text, '\0', length) != NULL)
        return error_set(error, "%s: holds a zero byte; a .ptt file is text", ptt->path);
    ptt->text[length] = '\0';
    return 0;
}

static int set_name(struct ptt *ptt, struct error *error) {
    const char *slash = strrchr(ptt->path, '/');
    const char *base = slash != NULL ? slash + 1 : ptt->path;
    size_t length = strlen(base);
    if (length < 5 || strcmp(base + length - 4, ".ptt") != 0)
        return error_set(error, "%s: does not end in .ptt; likwid-bench would not find it, rename it", ptt->path);
    length -= 4;
    if (length >= sizeof ptt->name)
        return error_set(error, "%s: name longer than %zu characters; shorten it", ptt->path, sizeof ptt->name - 1);
    memcpy(ptt->name, base, length);
    ptt->name[length] = '\0';
    return 0;
}

static char *trim(char *line) {
    while (isspace((unsigned char)*line))
        line++;
    char *end = line + strlen(line);
    while (end > line && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return line;
}

static int parse_number(struct ptt *ptt, enum ptt_key key, const char *text, unsigned line, struct error *error) {
    char *end;
    errno = 0;
    long number = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : -1;
    if (number < 0 || *end != '\0' || errno != 0 || number > NUMBER_MAX)
        return error_set(error, "%s:%u: %s has '%s'; give a whole number of 0 to %d", ptt->path, line, key_names[key],
                         text, NUMBER_MAX);
    if (ptt->value[key].line != 0)
        return error_set(error, "%s:%u: %s again, first in line %u; keep one", ptt->path, line, key_names[key],
                         ptt->value[key].line);
    ptt->value[key] = (struct ptt_value){(unsigned)number, line};
    return 0;
}

static int parse_type(struct ptt *ptt, const char *text, unsigned line, unsigned *type_line, struct error *error) {
    if (*type_line != 0)
        return error_set(error, "%s:%u: TYPE again, first in line %u; keep one", ptt->path, line, *type_line);
    for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; i++) {
        if (strcmp(text, type_names[i]) == 0) {
            ptt->type = (enum kernel_type)i;
            *type_line = line;
            return 0;
        }
    }
    return error_set(error, "%s:%u: TYPE is '%s'; give DOUBLE, SINGLE or INT", ptt->path, line, text);
}

/* STRn must be one of the STREAMS. */
static int check_streams(const struct ptt *ptt, const struct ptt_code *code, struct error *error) {
    for (const char *at = code->text; (at = strstr(at, "STR")) != NULL; at += 3) {
        int inside_word = at > code->text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (inside_word || !isdigit((unsigned char)at[3]))
            continue;
        unsigned long stream = strtoul(at + 3, NULL, 10);
        if (stream >= ptt->value[PTT_STREAMS].number)
            return error_set(error, "%s:%u: uses STR%lu, but STREAMS is %u (line %u); correct one of them", ptt->path,
                             code->line, stream, ptt->value[PTT_STREAMS].number, ptt->value[PTT_STREAMS].line);
    }
    return 0;
}

static int check_complete(const struct ptt *ptt, unsigned type_line, struct error *error) {
    for (int key = 0; key < PTT_KEYS; key++) {
        int optional = key == PTT_LOADSTORES || key == PTT_BRANCHES;
        if (!optional && ptt->value[key].line == 0)
            return error_set(error, "%s: no %s; add a line '%s <number>'", ptt->path, key_names[key], key_names[key]);
    }
    if (type_line == 0)
        return error_set(error, "%s: no TYPE; add a line 'TYPE DOUBLE', 'TYPE SINGLE' or 'TYPE INT'", ptt->path);
    if (ptt->description == NULL)
        return error_set(error, "%s: no DESC; add a line 'DESC <what the kernel does>'", ptt->path);
    unsigned streams = ptt->value[PTT_STREAMS].number;
    if (streams < 1 || streams > KERNEL_STREAMS_MAX)
        return error_set(error, "%s:%u: STREAMS is %u; 1 to %d streams can be run", ptt->path,
                         ptt->value[PTT_STREAMS].line, streams, KERNEL_STREAMS_MAX);
    if (ptt->value[PTT_LOOP].number == 0)
        return error_set(error, "%s:%u: LOOP 0 would never end; give the elements of one pass", ptt->path,
                         ptt->value[PTT_LOOP].line);
    if (ptt->codes == ptt->preamble)
        return error_set(error, "%s:%u: nothing after LOOP; add the instructions of one pass", ptt->path,
                         ptt->value[PTT_LOOP].line);
    /* likwid-bench 5.2.2 compares prefixes: it takes LOADSTORES for LOADS, and the last line wins. */
    if (ptt->value[PTT_LOADSTORES].line > ptt->value[PTT_LOADS].line)
        return error_set(error,
                         "%s:%u: LOADSTORES after LOADS would overwrite it in likwid-bench; move it above line %u",
                         ptt->path, ptt->value[PTT_LOADSTORES].line, ptt->value[PTT_LOADS].line);
    for (size_t i = 0; i < ptt->codes; i++) {
        if (check_streams(ptt, &ptt->code[i], error) != 0)
            return -1;
    }
    return 0;
}

static int is_known(const char *word, size_t length) {
    for (int key = 0; key < PTT_KEYS; key++) {
        if (strlen(key_names[key]) == length && memcmp(word, key_names[key], length) == 0)
            return 1;
    }
    return length == 4 && (memcmp(word, "TYPE", 4) == 0 || memcmp(word, "DESC", 4) == 0);
}

/* Length of the key at the start of a line, 0: no key. In the header any word in capitals is a key; after the header it
 * may be an instruction. */
static size_t key_length(const struct ptt *ptt, const char *line) {
    size_t length = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    int whole = length > 0 && (line[length] == '\0' || isspace((unsigned char)line[length]));
    int in_header = ptt->codes == 0 && ptt->value[PTT_LOOP].line == 0;
    return whole && (in_header || is_known(line, length)) ? length : 0;
}

static int parse_key(struct ptt *ptt, char *line, size_t length, unsigned number, unsigned *type_line,
                     struct error *error) {
    char *value = line + length + strspn(line + length, " \t");
    int in_loop = ptt->value[PTT_LOOP].line != 0;
    if ((in_loop || ptt->codes > 0) && !(length == 4 && memcmp(line, "LOOP", 4) == 0))
        return error_set(error, "%s:%u: '%.*s' behind the header; move it above the first instruction and LOOP",
                         ptt->path, number, (int)length, line);
    for (int key = 0; key < PTT_KEYS; key++) {
        if (strlen(key_names[key]) == length && memcmp(line, key_names[key], length) == 0) {
            if (key == PTT_LOOP)
                ptt->preamble = ptt->codes;
            return parse_number(ptt, (enum ptt_key)key, value, number, error);
        }
    }
    if (length == 4 && memcmp(line, "TYPE", 4) == 0)
        return parse_type(ptt, value, number, type_line, error);
    if (length == 4 && memcmp(line, "DESC", 4) == 0) {
        if (ptt->description != NULL)
            return error_set(error, "%s:%u: DESC again; keep one", ptt->path, number);
        ptt->description = value;
        return 0;
    }
    return error_set(error, "%s:%u: unknown key '%.*s'; correct it (instructions of the preamble are in lower case)",
                     ptt->path, number, (int)length, line);
}

static int parse_lines(struct ptt *ptt, struct error *error) {
    size_t lines = 1;
    for (const char *c = ptt->text; *c != '\0'; c++)
        lines += *c == '\n';
    ptt->code = calloc(lines, sizeof *ptt->code);
    if (ptt->code == NULL)
        return error_set(error, "%s: no memory to read it; free some", ptt->path);
    unsigned number = 0, type_line = 0;
    char *rest = ptt->text;
    while (rest != NULL) {
        char *line = trim(strsep(&rest, "\n"));
        number++;
        if (*line == '\0' || *line == '#')
            continue;
        size_t length = key_length(ptt, line);
        if (length > 0) {
            if (parse_key(ptt, line, length, number, &type_line, error) != 0)
                return -1;
        } else {
            ptt->code[ptt->codes++] = (struct ptt_code){line, number};
        }
    }
    return check_complete(ptt, type_line, error);
}

int ptt_read(struct ptt *ptt, const char *path, struct error *error) {
    *ptt = (struct ptt){.path = strdup(path)};
    if (ptt->path == NULL)
        return error_set(error, "%s: no memory to read it; free some", path);
    if (set_name(ptt, error) == 0 && read_text(ptt, error) == 0 && parse_lines(ptt, error) == 0)
        return 0;
    ptt_free(ptt);
    return -1;
}

void ptt_free(struct ptt *ptt) {
    free(ptt->path);
    free(ptt->code);
    free(ptt->text);
    *ptt = (struct ptt){0};
}
