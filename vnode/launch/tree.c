/* tree.c - writes and removes small file trees.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0700, FILE_MODE = 0400 };

static void fail(struct tree *tree) {
    if (!tree->error)
        tree->error = errno ? errno : EIO;
}

/* Makes the folder of `path`, and those above it that are missing. 0, or -1. */
static int make_folder(const struct tree *tree, const char *path) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return -1;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (mkdirat(tree->root, folder, FOLDER_MODE) == 0 || errno == EEXIST)
        return 0;
    return errno == ENOENT && make_folder(tree, folder) == 0 ? mkdirat(tree->root, folder, FOLDER_MODE) : -1;
}

static int open_new(const struct tree *tree, const char *path) {
    return openat(tree->root, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
}

static int open_file(const struct tree *tree, const char *path) {
    int fd = open_new(tree, path);
    if (fd < 0 && errno == ENOENT && make_folder(tree, path) == 0) /* most files share a folder */
        fd = open_new(tree, path);
    return fd;
}

FILE *tree_open(struct tree *tree, const char *path) {
    if (tree->error)
        return NULL;
    int fd = open_file(tree, path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (file)
        return file;
    fail(tree);
    if (fd >= 0)
        close(fd);
    return NULL;
}

void tree_close(struct tree *tree, FILE *file) {
    if (!file)
        return;
    int failed = ferror(file);
    if (fclose(file) != 0 || failed)
        fail(tree);
}

/* Without a stream: it would ask the kernel twice about the file. */
void tree_line(struct tree *tree, const char *path, const char *format, ...) {
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    int fd = tree->error || length < 0 ? -1 : open_file(tree, path);
    if (fd >= 0)
        line[length++] = '\n'; /* in the place of the NUL */
    if (!tree->error && (fd < 0 || write(fd, line, (size_t)length) != length))
        fail(tree);
    if (fd >= 0 && close(fd) != 0)
        fail(tree);
    if (length >= 0)
        free(line);
}

void tree_link(struct tree *tree, const char *path, const char *target) {
    if (!tree->error && symlinkat(target, tree->root, path) != 0 &&
        (errno != ENOENT || make_folder(tree, path) != 0 || symlinkat(target, tree->root, path) != 0))
        fail(tree);
}

static int remove_folder(int parent, const char *name);

static int remove_contents(int fd) {
    DIR *folder = fdopendir(fd);
    int result = folder ? 0 : -1;
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
            (entry->d_type == DT_DIR ? remove_folder(dirfd(folder), name) : tree_remove(dirfd(folder), name)) != 0)
            result = -1;
    }
    if (folder)
        closedir(folder);
    else
        close(fd);
    return result;
}

static int remove_folder(int parent, const char *name) {
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || remove_contents(fd) != 0)
        return -1;
    return unlinkat(parent, name, AT_REMOVEDIR);
}

int tree_remove(int parent, const char *name) {
    if (unlinkat(parent, name, 0) == 0)
        return 0;
    return errno == EISDIR || errno == EPERM ? remove_folder(parent, name) : -1;
}
