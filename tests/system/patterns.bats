#!/usr/bin/env bats
# The main paper's patterns on the virtual node: counts, errors, and failures.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

campaigns=(
    [counts]="avx_flops long_latency --node virtual --quick"
    [imbalance]="load_imbalance --node virtual"
    [haswellEP-1x2]="line_sharing false_sharing --node virtual:haswellEP-1x2"
    [haswellEP-2x1]="line_sharing false_sharing --node virtual:haswellEP-2x1"
    [small_one]="bandwidth_saturation --node virtual:tests/nodes/small_one.lua --quick --level L3,MEM"
    [small_two]="bandwidth_saturation --node virtual:tests/nodes/small_two.lua --quick --level L3,MEM"
)

@test "avx_flops: AVX kernels within 0.1 %, scalar and SSE code exactly 0" {
    query counts '
        local wide, narrow = 0, 0
        for _, m in each { pattern = "avx_flops", metric = "AVX operations" } do
            if m.code:find "_sse$" or m.code:find "_scalar$" then
                check(m.measured.max == 0 and m.class == "exact", m.code)
                narrow = narrow + 1
            elseif m.code ~= "scaled_sum_half" then
                check(worst(m) <= 0.1 and m.verdict == "validated", m.code)
                wide = wide + 1
            end
        end
        check(wide == 13 and narrow == 16, "kernels")'
}

@test "avx_flops: half-wide loads make counts too high by the predicted factor; fused operations count once" {
    query counts '
        local half = one { code = "scaled_sum_half", metric = "AVX operations" }
        check(half.class == "multiplicative" and half.verdict == "correctable", half.class)
        check(near(half.correction.factor, 3 / 2, 1e-3), half.correction.factor)
        for _, code in ipairs { "fma_registers", "fma_registers_sp" } do
            local flops = one { code = code, metric = code:find "_sp" and "AVX FLOPs SP" or "AVX FLOPs DP" }
            check(flops.class == "multiplicative" and near(flops.correction.factor, 1 / 2, 1e-3), code)
        end'
}

@test "long_latency: divisions and roots of every width are counted, multiplications are not" {
    query counts '
        local count = 0
        for _, m in each { pattern = "long_latency" } do
            check(m.class == "exact" and good(m), m.code)
            check(m.code:find "^mul" and m.measured.max <= 2 or worst(m) <= 0.1, m.code)
            count = count + 1
        end
        check(count == 18, count)
        check(one { code = "div_avx" }.threshold.margin > 1000, "margin")'
}

# bats test_tags=long
@test "load_imbalance: operations within 0.1 %, the ratio of threads within 0.5 %, volumes within 2 % of their intervals" {
    query imbalance '
        for _, code in ipairs { "halved", "dealt" } do
            check(worst(one { code = code, metric = "AVX operations" }) <= 0.1, code)
            check(one { code = code, metric = "Multiply-add elements DP" }.class == "exact", code)
            for _, metric in ipairs { "L1-L2 volume", "L2-L3 volume", "Memory read volume of the core" } do
                check(one { code = code, metric = metric }.class == "exact", metric)
                -- of memory nothing is claimed of the half with the short rows
                check(code == "halved" and metric:find "Memory" or one { code = code, metric = metric .. ", thread 0 : 1" }, metric)
            end
        end
        local seen = 0
        for _, s in ipairs(record.samples) do
            if s.point == "halved.S0.2.p3" and s.metric == "AVX operations, thread 0 : 1" then
                check(near(s.measured, 6292480 / 2098176, 0.005), s.measured)
                seen = seen + 1
            end
        end
        check(seen == 1, "samples")
        local ratio = one { code = "halved", metric = "AVX operations, thread 0 : 1" }
        check(ratio.threshold.value > 1 and ratio.threshold.value < 3, "threshold")'
}

# bats test_tags=architectures
@test "line_sharing: modified lines within 1 % for steps of one line and more, on one socket and on two" {
    on_each "haswellEP-1x2 haswellEP-2x1" '
        local seen = 0
        for _, s in ipairs(record.samples) do
            local point = tonumber(tostring(s.point):match "^shared.*p(%d+)")
            if point then
                local e = s.expected
                check(s.measured >= 0.99 * e.min and s.measured <= 1.01 * e.max, s.point .. " " .. s.metric)
                seen = seen + (e.value > 0 and 1 or 0)
            end
        end
        check(seen == (7 + 6) * 2 * 5, seen) -- points and differences of both threads: loads, their volume, reads, here and anywhere'
}

# The lines of the mutex move as well: with steps of one line, more than twice as many lines as the data have.
# bats test_tags=architectures
@test "line_sharing: with a mutex only the smallest count is known, and no metric is validated" {
    on_each "haswellEP-1x2 haswellEP-2x1" '
        local codes, most = {}, 0
        for _, m in each { pattern = "line_sharing", code = "signalled" } do
            check(m.verdict == "unresolved" or m.verdict == "untested" and m.expected.max == 0, m.metric .. " " .. m.verdict)
            codes[m.verdict] = (codes[m.verdict] or 0) + 1
        end
        check(codes.unresolved == 5 and codes.untested == 2, codes.unresolved)
        for _, s in ipairs(record.samples) do
            local is_open = s.code == "signalled" and s.expected.max > 0
            check(not is_open or s.measured >= s.expected.min, s.point .. " " .. s.metric)
            most = is_open and math.max(most, s.measured / s.expected.min) or most
        end
        check(most > 2, most)'
}

# bats test_tags=architectures
@test "line_sharing: a placement that the node lacks is skipped with the reason" {
    on_each "haswellEP-1x2 haswellEP-2x1" '
        local has_one_socket = record.node.sockets == 1
        local skipped = one { pattern = "line_sharing", placement = has_one_socket and "across" or "pair" }
        check(skipped.reason:find(has_one_socket and "one socket" or "one core"), skipped.reason)'
}

# bats test_tags=architectures
@test "false_sharing: present and absent are at least ten times apart" {
    on_each "haswellEP-1x2 haswellEP-2x1" '
        local t = one { pattern = "false_sharing", code = "together", metric = "Loads of modified lines" }.threshold
        check(t.margin >= 10 and t.value > t.absent.max and t.value < t.present.min, t.margin)'
}

# bats test_tags=long
@test "bandwidth_saturation: data reads and modified victims of each slice and of all within 0.2 %" {
    for node in small_one small_two; do
        query $node '
            local cores = record.node.cores / record.node.sockets
            local seen, sum = {}, { ["data reads"] = 0, ["modified victims"] = 0 }
            local own = { ["data reads"] = "L3", ["modified victims"] = "MEM" } -- at others it is seen next to their own
            for _, m in each { group = "ASSAY_CBOX" } do
                if m.level == own[m.direction] then
                    check(good(m), m.code .. " " .. m.metric)
                    local slice = tonumber(m.metric:match "^CBOX(%d+)")
                    check(not slice or slice < cores, "slice " .. tostring(slice))
                    seen[slice or "all"] = (seen[slice or "all"] or 0) + 1
                    if not slice then
                        sum[m.direction] = sum[m.direction] + m.measured.mean
                    end
                end
            end
            local places = cores > 1 and 3 or 2
            check(seen.all == 11 * places, seen.all)
            for slice = 0, cores - 1 do
                check(seen[slice] == seen.all, slice)
            end
            check(sum["data reads"] > 0 and sum["modified victims"] > 0, "sums")'
    done
}

# bats test_tags=long
@test "bandwidth_saturation: slices add up to their sum, and agree with L2 and the memory controllers" {
    query small_one '
        local function measured(code, metric, placement, level)
            return one { code = code, metric = metric, placement = placement, level = level }.measured.mean
        end
        for _, place in ipairs { "S0:1", "S0:2" } do
            for _, code in ipairs { "store", "copy", "daxpy", "stream", "triad" } do
                local parts = 0
                for slice = 0, 1 do
                    parts = parts + measured(code, ("CBOX%d modified victims volume"):format(slice), place, "MEM")
                end
                local sum = measured(code, "CBOX modified victims volume", place, "MEM")
                check(near(parts, sum, 1e-9), code)
                check(near(sum, measured(code, "iMC write volume", place, "MEM"), 0.002), code)
            end
        end
        -- streams that are only stored to are not read: no data reads, whatever L2 loads
        for code, share in pairs { load = 1, ddot = 1, daxpy = 1, copy = 1 / 2, stream = 2 / 3, triad = 3 / 4 } do
            local reads = measured(code, "CBOX data reads volume", "S0:1", "L3")
            check(near(reads, share * measured(code, "L2-L3 load volume", "S0:1", "L3"), 0.002), code)
        end
        local function of_store(metric) return measured("store", metric, "S0:1", "L3") end
        check(of_store "CBOX data reads volume" < 1e-3 * of_store "L2-L3 load volume", "store")'
}

# bats test_tags=long
@test "bandwidth_saturation: the table shows the sum of the slices, and single slices only with --all" {
    query small_one ''
    log=$BATS_FILE_TMPDIR/small_one
    grep -q "CBOX data reads volume, data in L3" "$log.txt"
    [ "$(grep -c 'CBOX[0-9]' "$log.txt")" -eq 0 ]
    "$assay" show "$log.json" --all | grep -q "CBOX1 modified victims volume, data in MEM"
}

# bats test_tags=long
@test "bandwidth_saturation: a wrong slice is named, the others and the L2 group are not; a silent one leaves no sum" {
    echo "CBOX1C0 scale 0.5" >half
    "$assay" validate bandwidth_saturation --node virtual --only load --level L3 --placement S0:1 --fault half --out "$BATS_FILE_TMPDIR/half.json" \
        >/dev/null 2>&1 || true
    query half '
        local function class(metric, factor)
            local m = one { metric = metric }
            check((m.class == "multiplicative") == (factor ~= nil), metric .. ": " .. m.class)
            check(not factor or near(m.correction.factor, factor, 0.01), metric)
        end
        class("CBOX0 data reads volume")
        class("CBOX1 data reads volume", 0.5)
        class("CBOX data reads volume", 0.75)
        class("L2-L3 load volume")'
    echo "CBOX1C0 deny" >silent
    "$assay" validate bandwidth_saturation --node virtual --only load --level L3 --placement S0:1 --quick --fault silent \
        --out "$BATS_FILE_TMPDIR/silent.json" >/dev/null 2>&1 || true
    query silent '
        check(one { metric = "CBOX0 data reads volume" }.verdict == "validated", "slice 0")
        check(one { metric = "CBOX1 data reads volume" }.class == "missing", "slice 1")
        check(one { metric = "CBOX data reads volume" }.class == "missing", "sum")'
}

@test "validation of a pattern without a model ends with file and line" {
    copy_data
    sed -i '/quantities = {/,/^    },/d' data/patterns/false_sharing.lua
    line=$(grep -n '^return pattern' data/patterns/false_sharing.lua | cut -d: -f1)
    fails_with 2 "false_sharing.lua:$line: pattern 'false_sharing' needs levels or quantities, one of them" "$assay" validate false_sharing --node virtual
}

@test "a NaN from a model ends the validation, and pattern, quantity and point are named" {
    copy_data
    sed -i 's/value = math.sqrt(most)/value = 0 \/ 0/' data/patterns/false_sharing.lua
    fails_with 2 "pattern false_sharing: the model of 'loads modified' at point together.S0.2.p1 gives value = nan" \
        "$assay" validate false_sharing --node virtual
}

@test "a metric that the group lacks ends the validation with file and line of the machine file" {
    copy_data
    line=$(grep -n 'metric = "Divider uops"' data/groups/haswellEP/machine.lua | cut -d: -f1)
    sed -i 's/metric = "Divider uops"/metric = "Divider oops"/' data/groups/haswellEP/machine.lua
    fails_with 2 "machine.lua:$((line - 3)): group ASSAY_DIVIDER has no metric 'Divider oops'" \
        "$assay" validate long_latency --node virtual
}

@test "a pattern whose program was not built is reported" {
    copy_data
    sed 's/"false_sharing"/"true_sharing"/' "$root/patterns/false_sharing.lua" >data/patterns/true_sharing.lua
    fails_with 2 "patterns/true_sharing is not there; run make" "$assay" validate true_sharing --node virtual
}

@test "programs of patterns say in one line what is wrong with their points" {
    program=$build/patterns/load_imbalance
    fails_with 2 "no CPUs" "$program"
    fails_with 2 "1 CPUs; code 'halved' runs on 2" "$program" -c 0 r halved 64 1
    fails_with 2 "code 'quartered' is not known" "$program" -c 0,1 r quartered 64 1
    fails_with 2 "'0'; give a whole number" "$program" -c 0,1 r halved 0 1
    fails_with 2 "1 numbers; code 'halved' takes 2" "$program" -c 0,1 r halved 64
    fails_with 1 "give a multiple of 128" "$program" -c 0,1 r halved 65 1
}
