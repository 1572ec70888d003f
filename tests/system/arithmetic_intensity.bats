#!/usr/bin/env bats
# Arithmetic intensity of products of vectors and matrices, on virtual nodes of each architecture.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="arithmetic_intensity --quick"

# A small core complex of Zen 3, because matrices larger than its full L3 take long.
nodes="haswellEP-1x2 broadwellEP-1x2 skylakeX-1x2 zen3_mid"

# bats test_tags=architectures
@test "arithmetic intensity: all is exact, and nothing is unresolved" {
    on_each "$nodes" '
        local validated = 0
        for _, m in each { pattern = "arithmetic_intensity" } do
            local is_right = m.verdict == "skipped" or m.class == "exact" and m.verdict ~= "unresolved"
            check(is_right, (m.code or "") .. ": " .. (m.metric or ""))
            validated = validated + (m.verdict == "validated" and 1 or 0)
        end
        check(validated >= 27, validated)'
}

# bats test_tags=architectures
@test "arithmetic intensity: an eighth, a quarter, N / 16 of a product of matrices, and a quarter where B is too large" {
    on_each "$nodes" '
        local seen = 0
        for _, s in ipairs(record.samples) do
            if s.metric == "Arithmetic intensity" and not s.code:find "scalar" then
                local n, rows = s.given.n, s.given.rows
                local right = s.code == "ddot" and 1 / 8 or s.code == "dgemv" and 1 / 4 or n / 16
                -- Two rows of a large matrix read it twice, or once where the last level holds it.
                right = rows == 2 and (record.node.llc_bytes < n * n * 8 and 1 / 4 or 1 / 2) or right
                check(math.abs(s.measured / right - 1) < 0.015, ("%s %d: %g"):format(s.code, n, s.measured))
                seen = seen + 1
            end
        end
        check(seen == 7, seen)'
}

@test "arithmetic intensity: volumes of square matrices are exact" {
    query "haswellEP-1x2" '
        local written = one { code = "dgemm", metric = "iMC write volume" }
        check(written.n == 2 and written.verdict == "validated", written.n)'
}

# bats test_tags=long
@test "arithmetic intensity: there is no expectation for matrices between the bounds" {
    echo 'return { arch = "haswellEP", l3 = { size = 4 << 20, ways = 16 } }' >"$BATS_TEST_TMPDIR/between.lua"
    "$assay" validate arithmetic_intensity --quick --only dgemm --node "virtual:$BATS_TEST_TMPDIR/between.lua" \
        --out "$BATS_TEST_TMPDIR/between.json" >/dev/null 2>&1
    lua5.4 "$root/tests/system/query.lua" "$BATS_TEST_TMPDIR/between.json" '
        check(one { metric = "Arithmetic intensity" }.n == 2, "8 MiB are neither twice 10.1 MiB nor enough for it")
        check(one { metric = "AVX FLOPs DP" }.n == 3, "FLOPs are known at any size")'
}

# bats test_tags=long
@test "arithmetic intensity: OpenBLAS's products have the expected FLOPs, and move only their operands" {
    "$assay" validate arithmetic_intensity --only ddot_openblas,dgemv_openblas,dgemm_openblas --node virtual:zen3-1x4 \
        --out "$BATS_TEST_TMPDIR/library.json" >/dev/null 2>&1
    lua5.4 "$root/tests/system/query.lua" "$BATS_TEST_TMPDIR/library.json" '
        for _, code in ipairs { "ddot", "dgemv", "dgemm" } do
            for _, metric in ipairs { "FLOPs", "Arithmetic intensity", "Memory read volume of the core" } do
                local m = one { code = code .. "_openblas", metric = metric }
                check(m.verdict == "validated", code .. ": " .. metric)
            end
        end'
}

@test "arithmetic intensity: without OpenBLAS its codes are skipped, and the program refuses them with the reason" {
    : >"$BATS_TEST_TMPDIR/libopenblas.so.0" # nothing that can be loaded
    export LD_LIBRARY_PATH=$BATS_TEST_TMPDIR
    run -1 "$build/patterns/arithmetic_intensity" -c 0 here dgemm_openblas 64 64 1
    [ "${#lines[@]}" -eq 1 ]
    [[ "$output" == *"libopenblas.so.0"*"install OpenBLAS"* ]]
    run -2 "$assay" validate arithmetic_intensity --only ddot_openblas --node virtual --out "$BATS_TEST_TMPDIR/none.json"
    [[ "$output" == *"nothing is left"* ]]
}

@test "arithmetic intensity: bad sizes are refused in one line each" {
    program=$build/patterns/arithmetic_intensity
    run -1 "$program" -c 0 here ddot 12 1 1
    [ "${#lines[@]}" -eq 1 ]
    [[ "$output" == *"here: N = 12; give a multiple of 8"* ]]
    run -1 "$program" -c 0 here ddot 16 2 1
    [[ "$output" == *"here: 2 rows of a dot product; give 1"* ]]
}
