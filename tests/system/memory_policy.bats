#!/usr/bin/env bats
# Memory lies in the NUMA domain of the virtual node that its policy names, and is counted there. The host needs only one domain.
load common

domains=$build/tests/programs/domains
read=32768 # of domains.c: 512 pages
touched=512 # one line per page, if the program has touched all pages before

node() {
    run --separate-stderr timeout 300 "$assay" vnode --node "${NODE:-haswellEP-2x4}" -- "$@"
    echo "$* -> $status: $output" "$stderr"
    [ "$status" -eq 0 ]
}

count() {
    awk -F, -v counter="$1" '$1 == "TABLE" { here = $2 == "Region read" && $3 ~ / Raw$/ }
        here && $2 == counter { print $3; exit }' out.csv
}

# LIKWID may read one or two of its own lines, which lie in the domain that the policy selects.
at_most_two_more() {
    [ "$1" -ge "$2" ] && [ "$1" -le $(($2 + 2)) ]
}

# reads LOCAL REMOTE COMMAND...: core 0 reads LOCAL lines from its own domain and REMOTE lines from the other one.
reads() {
    local local_lines=$1 remote_lines=$2
    shift 2
    node "$@"
    echo "remote $(count PMC0), local $(count PMC1)"
    at_most_two_more "$(count PMC0)" "$remote_lines"
    at_most_two_more "$(count PMC1)" "$local_lines"
}

measured=(likwid-perfctr -C 0 -m -o out.csv
    -g MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_DRAM:PMC0,MEM_LOAD_UOPS_L3_MISS_RETIRED_LOCAL_DRAM:PMC1 "$domains")

# bats test_tags=elsewhere
@test "mbind, set_mempolicy, get_mempolicy, move_pages, migrate_pages and first touch behave as Linux documents them" {
    for name in haswellEP-2x4 haswellEP-2x1; do
        run --separate-stderr "$assay" vnode --node $name -- "$domains" promises
        echo "$output"
        [ "$status" -eq 0 ]
        [ -z "$output" ]
    done
}

@test "a page of 64 KiB keeps its domain if the program gives back 4 KiB of it" {
    echo 'return { arch = "haswellEP", sockets = 2, cores_per_socket = 1, page = 65536 }' >large.lua
    run -0 --separate-stderr "$assay" vnode --node ./large.lua -- "$domains" given_back
    [ "$output" = "a part 1, all 0" ]
    run -0 --separate-stderr "$assay" vnode --node haswellEP-2x1 -- "$domains" given_back
    [ "$output" = "a part 0, all 0" ]
}

@test "first touch: all lines are local" {
    reads $read 0 "${measured[@]}" inherited
}

@test "mbind and set_mempolicy(preferred) to the other domain: all lines are remote" {
    reads 0 $read "${measured[@]}" mbind
    reads 0 $read "${measured[@]}" preferred
}

# bats test_tags=long
@test "set_mempolicy(interleave): every other page is remote" {
    reads $((read / 2)) $((read / 2)) "${measured[@]}" interleave
}

# bats test_tags=long
@test "move_pages: all lines are remote except those in the caches" {
    reads 0 $((read - touched)) "${measured[@]}" move
}

# bats test_tags=long
@test "executed programs inherit a policy, also through LIKWID and shells" {
    needs hwloc-bind hwloc
    reads 0 $read hwloc-bind --membind numa:1 -- "${measured[@]}" inherited
    node hwloc-bind --membind numa:1 -- sh -c "'$domains' policy"
    [[ "$output" == *"pages 0 + 512" ]]
}

@test "programs of patterns place their data themselves, whatever the policy of the caller" {
    needs hwloc-bind hwloc
    local pages=4096 nodes=32 # of a page, one per line; a few lines of LIKWID's are remote
    node hwloc-bind --membind numa:1 -- "${measured[@]:0:8}" "$build/patterns/latency_bound" -c 0 read random $pages $pages 1
    [ "$(count PMC1)" -ge $((pages * nodes)) ]
}

# bats test_tags=elsewhere
@test "likwid-pin -i and -m" {
    node likwid-pin -q -i -c 0,4 "$domains" policy
    [ "$output" = "policy 3 of 0x3, pages 256 + 256" ]
    node likwid-pin -q -m -c 4 "$domains" policy
    [ "$output" = "policy 2 of 0x2, pages 0 + 512" ]
}

# bats test_tags=long
@test "likwid-memsweeper sweeps both domains" {
    # It fills four fifths of a domain, in the host's memory.
    echo 'return { arch = "haswellEP", sockets = 2, cores_per_socket = 4, memory_bytes = 256 << 20 }' >small_memory.lua
    NODE=$PWD/small_memory.lua node likwid-memsweeper
    [ "$(grep -c '^Sweeping domain [01]' <<<"$output")" -eq 2 ]
    [ -z "$stderr" ]
}

# bats test_tags=long
@test "numactl" {
    needs numactl numactl
    "$assay" vnode --node haswellEP-2x4 -- numactl --hardware >hardware
    grep -q '^available: 2 nodes' hardware || skip "/sys shows the host's domains here"
    grep -q '^node 1 cpus: 4 5 6 7$' hardware
    reads 0 $read numactl --membind=1 "${measured[@]}" inherited
    reads 0 $read numactl --preferred=1 "${measured[@]}" inherited
    reads $((read / 2)) $((read / 2)) numactl --interleave=all "${measured[@]}" inherited
    node numactl --cpunodebind=1 "$domains" policy
    [[ "$output" == *"pages 0 + 512" ]]
}
