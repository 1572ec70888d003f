# prefetching.bats - right counters of a node with prefetchers, whose pages lie in random frames.
# bats file_tags=long
load common

# No group of zen3 shows the quantities of line_sharing and false_sharing.
patterns="bandwidth_saturation load_imbalance latency_bound arithmetic_intensity --quick --level L2"
for arch in haswellEP skylakeX zen3; do
    codes=halved,triad_nt,short,random,dgemm
    [ $arch = zen3 ] || codes="$codes,shared,apart line_sharing false_sharing"
    campaigns[$arch-prefetching]="$patterns --node virtual:tests/nodes/$arch-prefetching.lua --only $codes"
done
campaigns[small-prefetching]="strided_access arithmetic_intensity --quick --only unit,strided,dgemv --node virtual:tests/nodes/small-prefetching.lua"

@test "no right counter is rejected with prefetchers; metrics with wide intervals are unresolved" {
    for arch in haswellEP skylakeX zen3; do
        query $arch-prefetching '
            check(record.node.prefetchers:find "HW_PREFETCHER on", "the record names them")
            local seen = {}
            for _, m in each {} do
                check(m.verdict ~= "rejected" and m.verdict ~= "correctable", table.concat({ m.pattern, m.code or "", m.metric or "" }, " "))
                check(m.pattern ~= "load_imbalance" or m.verdict ~= "unresolved", m.metric)
                seen[m.pattern .. " " .. m.verdict] = true
            end
            for _, pattern in ipairs { "line_sharing", "bandwidth_saturation", "load_imbalance", "latency_bound" } do
                check(seen[pattern .. " validated"] or pattern == "line_sharing" and record.node.arch == "zen3", pattern)
            end'
    done
}

@test "no right counter is rejected with prefetchers and a small L3, which loses the Marker API's code" {
    query small-prefetching '
        for _, m in each {} do
            check(m.verdict == "validated", table.concat({ m.pattern, m.code, m.metric, m.verdict }, " "))
        end'
}
