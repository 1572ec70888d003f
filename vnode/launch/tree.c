/* tree.c - writes and removes small file trees.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0700, FILE_MODE = 0400 };

static void fail(struct tree *tree) {
    if (!tree->error)
        tree->error = errno ? errno : EIO;
}

static void make_folders(struct tree *tree, const char *path) {
    char folder[PATH_MAX];
    for (const char *slash = strchr(path, '/'); slash && !tree->error; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdirat(tree->root, folder, FOLDER_MODE) != 0 && errno != EEXIST)
            fail(tree);
    }
}

static int open_new(const struct tree *tree, const char *path) {
    return openat(tree->root, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
}

FILE *tree_open(struct tree *tree, const char *path) {
    if (tree->error)
        return NULL;
    int fd = open_new(tree, path);
    if (fd < 0 && errno == ENOENT) { /* most files share a folder */
        make_folders(tree, path);
        fd = tree->error ? -1 : open_new(tree, path);
    }
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

void tree_line(struct tree *tree, const char *path, const char *format, ...) {
    FILE *file = tree_open(tree, path);
    va_list arguments;
    va_start(arguments, format);
    if (file) {
        vfprintf(file, format, arguments);
        fputc('\n', file);
    }
    va_end(arguments);
    tree_close(tree, file);
}

void tree_link(struct tree *tree, const char *path, const char *target) {
    make_folders(tree, path);
    if (!tree->error && symlinkat(target, tree->root, path) != 0)
        fail(tree);
}

static int remove_contents(int fd) {
    DIR *folder = fdopendir(fd);
    int result = folder ? 0 : -1;
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            tree_remove(dirfd(folder), entry->d_name) != 0)
            result = -1;
    if (folder)
        closedir(folder);
    else
        close(fd);
    return result;
}

int tree_remove(int parent, const char *name) {
    if (unlinkat(parent, name, 0) == 0)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -1;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || remove_contents(fd) != 0)
        return -1;
    return unlinkat(parent, name, AT_REMOVEDIR);
}
