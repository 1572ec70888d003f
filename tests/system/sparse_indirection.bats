#!/usr/bin/env bats
# Pattern sparse_indirection on virtual nodes of each architecture: a stencil as a matrix in CSR, and directly.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="sparse_indirection --quick"

# bats test_tags=architectures
@test "instructions and useful operations of both codes are exact, and 0.3 % more or less would have been seen" {
    for node in $(nodes_here haswellEP-1x2:8 broadwellEP-1x2:14 skylakeX-1x2:10 zen3-1x4:10); do
        query "${node%:*}" "sharp({}, 0.003, ${node#*:})"
    done
}

# bats test_tags=architectures
@test "the same useful operations take several times the instructions in CSR" {
    on_each "haswellEP-1x2 broadwellEP-1x2 skylakeX-1x2 zen3-1x4" '
        local t = one { code = "csr", metric = "Instructions per useful operation" }.threshold
        check(t.present_is == "above" and t.present.min > 2 * t.absent.max, t.present_is)'
}

# Both codes do the same work: the program's own functions, run one after the other on the same numbers.
@test "matrix and stencil calculate the same" {
    cat >"$BATS_TEST_TMPDIR/same.c" <<'END'
#include "patterns/sparse_indirection.c"
#include <string.h>
void *program_allocate(size_t bytes, struct error *error) {
    (void)error;
    return calloc(1, bytes);
}
void program_free(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}
int error_set(struct error *error, const char *text, ...) {
    (void)error, (void)text;
    return -1;
}
int main(void) {
    struct program_point point = {.parameter = {8, 64, 3}};
    double sums[2][64 * LANES];
    for (point.code = 0; point.code < 2; point.code++) {
        if (setup(&point, NULL) != 0)
            return 2;
        first_touch(&point, 0);
        multiply(&point, 0, point.parameter[TIMES]);
        memcpy(sums[point.code], ((struct grid *)point.data)->y, sizeof sums[0]);
        release(&point);
    }
    return sums[0][0] == 0 || memcmp(sums[0], sums[1], sizeof sums[0]) != 0;
}
END
    cc -std=c17 -D_GNU_SOURCE -O2 -I"$root" "$BATS_TEST_TMPDIR/same.c" -o "$BATS_TEST_TMPDIR/same"
    "$BATS_TEST_TMPDIR/same"
}
