#!/usr/bin/env bats
# Records of all kinds, broken in 4800 ways: each is refused with file and key, or every command accepts it.
# SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

@test "every command refuses or accepts each of 4800 broken records" {
    for record in "$root"/tests/records/*.json; do
        python3 "$root/tests/system/mutate.py" "$assay" "$root/docs" "$record" 480 31
    done
}
