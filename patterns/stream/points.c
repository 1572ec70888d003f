/* points.c - reads points and opens their kernels. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/stream/points.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 64, REGION_MAX = 80, WORDS = 4 };

/* All streams of a point lie in one block. Its size, stagger included, must fit in a ptrdiff_t. */
static const size_t stream_bytes_max = SIZE_MAX / 64;

size_t point_stream_bytes(const struct point *point) {
    size_t bytes = point->elements * point->object->element_bytes;
    return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

size_t point_block_bytes(const struct point *point, size_t stagger) {
    if (point->object == NULL)
        return 0;
    return point->object->streams * point_stream_bytes(point) + (point->object->streams - 1) * stagger;
}

static int check_region(const struct points *points, const char *region, const char *where, struct error *error) {
    size_t length = strlen(region);
    for (const char *c = region; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("_.-", *c) == NULL)
            length = 0;
    }
    if (length == 0 || length > REGION_MAX)
        return error_set(error, "%s: region '%s'; give 1 to %d letters, digits, '_', '.' or '-'", where, region,
                         REGION_MAX);
    for (size_t i = 0; i < points->count; i++) {
        if (strcmp(points->point[i].region, region) == 0)
            return error_set(error, "%s: region '%s' again; each point needs a region of its own", where, region);
    }
    return 0;
}

static int parse_count(const char *text, size_t *count, const char *what, const char *where, struct error *error) {
    char *end;
    errno = 0;
    unsigned long long value = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    if (value == 0 || *end != '\0' || errno != 0 || value > SIZE_MAX)
        return error_set(error, "%s: %s is '%s'; give a whole number of at least 1", where, what, text);
    *count = (size_t)value;
    return 0;
}

static int open_kernel(struct point *point, const char *path, const char *where, struct error *error) {
    /* dlopen searches a bare name in the system's folders; a kernel is a file. */
    char *file = NULL;
    if (asprintf(&file, "%s%s", strchr(path, '/') == NULL ? "./" : "", path) < 0)
        return error_set(error, "%s: no memory for %s; free some", where, path);
    point->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    free(file);
    if (point->library == NULL)
        return error_set(error, "%s: cannot open kernel: %s; give an assembled kernel", where, dlerror());
    const struct kernel_object *object = dlsym(point->library, KERNEL_OBJECT_SYMBOL);
    /* ISO C has no conversion from an object's to a function's pointer; POSIX asks for this one. */
    *(void **)&point->run = dlsym(point->library, KERNEL_RUN_SYMBOL);
    if (object == NULL || point->run == NULL)
        return error_set(error, "%s: %s has no symbol %s; give an assembled kernel", where, path,
                         object == NULL ? KERNEL_OBJECT_SYMBOL : KERNEL_RUN_SYMBOL);
    if (object->version != KERNEL_OBJECT_VERSION)
        return error_set(error, "%s: %s is of version %u, not %d; assemble it again", where, path, object->version,
                         KERNEL_OBJECT_VERSION);
    point->object = object;
    return 0;
}

static struct point *grow(struct points *points) {
    struct point *grown = realloc(points->point, (points->count + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    points->point = grown;
    grown[points->count] = (struct point){0};
    return &grown[points->count];
}

static int start_point(struct points *points, struct point **point, const char *region, const char *where,
                       struct error *error) {
    if (check_region(points, region, where, error) != 0)
        return -1;
    *point = grow(points);
    if (*point == NULL || ((*point)->region = strdup(region)) == NULL)
        return error_set(error, "%s: no memory for the points; free some", where);
    points->count++;
    return 0;
}

int points_add_empty(struct points *points, const char *region, struct error *error) {
    struct point *point;
    return start_point(points, &point, region, "--empty", error);
}

int points_add_reads(struct points *points, const char *text, struct error *error) {
    struct point *point;
    char region[256];
    size_t length = strcspn(text, "=");
    snprintf(region, sizeof region, "%.*s", (int)length, text);
    return length >= sizeof region || text[length] == '\0' ? error_set(error, "--reads %.200s: give REGION=TIMES", text)
           : start_point(points, &point, region, "--reads", error) != 0
               ? -1
               : parse_count(text + length + 1, &point->reads, "TIMES", "--reads", error);
}

int points_add(struct points *points, char *const word[WORDS], const char *where, struct error *error) {
    struct point *point;
    if (start_point(points, &point, word[0], where, error) != 0 ||
        parse_count(word[2], &point->elements, "ELEMENTS", where, error) != 0 ||
        parse_count(word[3], &point->sweeps, "SWEEPS", where, error) != 0 ||
        open_kernel(point, word[1], where, error) != 0)
        return -1;
    /* The loop does whole passes only: a part of one would write behind the arrays. */
    if (point->elements % point->object->elements != 0)
        return error_set(error, "%s: ELEMENTS %zu is no multiple of the %u elements of one pass of %s; correct it",
                         where, point->elements, point->object->elements, word[1]);
    if (point->elements > stream_bytes_max / point->object->element_bytes)
        return error_set(error, "%s: ELEMENTS %zu is more than any memory; correct it", where, point->elements);
    return 0;
}

static int add_line(struct points *points, char *line, const char *where, struct error *error) {
    char *word[WORDS], *rest = NULL;
    size_t words = 0;
    for (char *w = strtok_r(line, " \t\r\n", &rest); w != NULL; w = strtok_r(NULL, " \t\r\n", &rest)) {
        if (words == WORDS)
            return error_set(error, "%s: too many words; give REGION KERNEL ELEMENTS SWEEPS", where);
        word[words++] = w;
    }
    if (words == 0 || *word[0] == '#')
        return 0;
    if (words < WORDS)
        return error_set(error, "%s: only %zu words; give REGION KERNEL ELEMENTS SWEEPS", where, words);
    return points_add(points, word, where, error);
}

int points_read(struct points *points, const char *path, struct error *error) {
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return error_set(error, "%s: %s; name a readable file of points", path, strerror(errno));
    char *line = NULL, *where = NULL;
    size_t size = 0;
    unsigned number = 0;
    int result = 0;
    while (result == 0 && getline(&line, &size, file) >= 0) {
        number++;
        free(where);
        if (asprintf(&where, "%s:%u", path, number) < 0) {
            where = NULL;
            result = error_set(error, "%s: no memory to read it; free some", path);
        } else {
            result = add_line(points, line, where, error);
        }
    }
    if (result == 0 && ferror(file))
        result = error_set(error, "%s: %s; name a readable file of points", path, strerror(errno));
    free(where);
    free(line);
    fclose(file);
    return result;
}

void points_free(struct points *points) {
    for (size_t i = 0; i < points->count; i++) {
        free(points->point[i].region);
        if (points->point[i].library != NULL)
            dlclose(points->point[i].library);
    }
    free(points->point);
    *points = (struct points){0};
}
