/* host_tar.c - archives, read as POSIX describes them: a header a block, contents filled up to blocks, two empty
 * blocks. SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "validate/host/tar.h"

/* An archive with a file of `size` letters, freed by the caller. */
static char *archive_of(const char *name, size_t size, size_t *length) {
    char *bytes = NULL, letters[2 * TAR_BLOCK];
    FILE *stream = open_memstream(&bytes, length);
    assert_non_null(stream);
    memset(letters, 'x', sizeof letters);
    assert_int_equal(tar_add(stream, name, letters, size), 0);
    assert_int_equal(tar_end(stream), 0);
    assert_int_equal(fclose(stream), 0);
    return bytes;
}

TEST(contents_fill_blocks) {
    static const struct {
        size_t size, blocks;
    } cases[] = {{0, 0}, {1, 1}, {TAR_BLOCK - 1, 1}, {TAR_BLOCK, 1}, {TAR_BLOCK + 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length, blocks = cases[i].blocks;
        char *bytes = archive_of("a", cases[i].size, &length);
        assert_int_equal(length, (1 + blocks + 2) * TAR_BLOCK);
        assert_int_equal(strtoul(bytes + 124, NULL, 8), cases[i].size);
        for (size_t at = TAR_BLOCK; at < length; at++)
            assert_int_equal(bytes[at], at < TAR_BLOCK + cases[i].size ? 'x' : 0);
        free(bytes);
    }
}

TEST(header_is_summed_up) {
    size_t length;
    unsigned total = 0;
    char *bytes = archive_of("12.index", 30, &length);
    assert_string_equal(bytes, "12.index");
    assert_memory_equal(bytes + 257, "ustar\00000", 8);
    assert_int_equal(bytes[156], '0');
    assert_int_equal(strtoul(bytes + 100, NULL, 8), 0644);
    for (size_t i = 0; i < TAR_BLOCK; i++)
        total += i >= 148 && i < 156 ? ' ' : (unsigned char)bytes[i];
    assert_int_equal(strtoul(bytes + 148, NULL, 8), total);
    free(bytes);
}

TEST(long_names_are_refused) {
    char name[TAR_NAME_MAX + 2];
    size_t length;
    memset(name, 'n', sizeof name);
    name[TAR_NAME_MAX + 1] = '\0';
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, &length);
    assert_int_equal(tar_add(stream, name, "", 0), -1);
    name[TAR_NAME_MAX] = '\0';
    assert_int_equal(tar_add(stream, name, "", 0), 0);
    fclose(stream);
    assert_int_equal(length, TAR_BLOCK);
    assert_string_equal(bytes, name);
    free(bytes);
}

/* Files are found by their whole name; a truncated archive has none. */
TEST(files_are_found) {
    char *bytes = NULL;
    size_t size, length;
    FILE *stream = open_memstream(&bytes, &size);
    assert_int_equal(tar_add(stream, "one", "1", 1) | tar_add(stream, "empty", "", 0) | tar_add(stream, "two", "22", 2),
                     0);
    assert_int_equal(tar_end(stream) | fclose(stream), 0);
    assert_true(tar_is_whole(bytes, size));
    assert_memory_equal(tar_find(bytes, size, "two", &length), "22", 2);
    assert_int_equal(length, 2);
    assert_non_null(tar_find(bytes, size, "empty", &length));
    assert_int_equal(length, 0);
    assert_null(tar_find(bytes, size, "tw", &length));
    for (size_t cut = 0; cut < 4 * TAR_BLOCK + 2; cut += TAR_BLOCK / 2) {
        char *part = malloc(cut + 1); /* the sanitizer finds reads behind it */
        memcpy(part, bytes, cut);
        assert_null(tar_find(part, cut, "two", &length));
        assert_false(tar_is_whole(part, cut));
        free(part);
    }
    memset(bytes + 124, '7', 12); /* a size that no file has */
    assert_null(tar_find(bytes, size, "two", &length));
    free(bytes);
}
