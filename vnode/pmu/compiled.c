/* compiled.c - the performance monitoring unit of a node and its faults as one file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "compiled.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4200 };

int compiled_write(const char *folder, struct compiled *what) {
    char path[PATH_BYTES], part[PATH_BYTES];
    snprintf(path, sizeof path, "%s/" COMPILED_FILE_NAME, folder);
    snprintf(part, sizeof part, "%s/" COMPILED_FILE_NAME ".new", folder);
    what->head = (struct compiled_head){.magic = COMPILED_MAGIC, .version = COMPILED_VERSION, .size = sizeof *what};
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    int failed = fwrite(what, sizeof *what, 1, file) != 1;
    failed |= fclose(file) != 0;
    if (!failed && rename(part, path) == 0)
        return 0;
    int saved = errno;
    unlink(part);
    errno = saved;
    return -1;
}

static const struct compiled *map(int fd, const char **wrong) {
    struct stat status;
    struct compiled_head head;
    *wrong = NULL;
    if (fd < 0 || fstat(fd, &status) != 0)
        return NULL;
    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head)
        *wrong = "not all of it is there";
    else
        *wrong = compiled_obstacle(&head);
    if (!*wrong && status.st_size != (off_t)sizeof(struct compiled))
        *wrong = "not all of it is there";
    if (*wrong)
        return NULL;
    const void *file = mmap(NULL, sizeof(struct compiled), PROT_READ, MAP_SHARED, fd, 0);
    return file != MAP_FAILED ? file : NULL;
}

void compiled_unmap(const struct compiled *file) {
    munmap((void *)(uintptr_t)file, sizeof *file);
}

const struct compiled *compiled_map(const char *folder, char *error, size_t error_size) {
    char path[PATH_BYTES];
    const char *wrong;
    snprintf(path, sizeof path, "%s/" COMPILED_FILE_NAME, folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const struct compiled *file = map(fd, &wrong);
    if (!file)
        snprintf(error, error_size, "%s: %s", path, wrong ? wrong : strerror(errno));
    if (fd >= 0)
        close(fd);
    return file;
}
