# kernels.bats - our kernels under likwid-bench, and the stream program on its own.
# SPDX-License-Identifier: GPL-3.0-or-later

load common

stream=$build/patterns/stream
kernels=$root/kernels/x86-64-avx
names="load store copy daxpy ddot stream triad store_nt copy_nt stream_nt triad_nt"

setup_file() {
    load common
    cc -D_GNU_SOURCE -I"$root" "$root/tests/system/assemble.c" "$root/validate/host/error.c" "$root/validate/host/plain.c" "$root/validate/host/process.c" "$root/validate/host/search.c" "$root/validate/host/stop.c" "$root/validate/host/utf8.c" \
        "$build/validate/kernel/libkernel.a" -lcapstone -ldl -o "$BATS_FILE_TMPDIR/assemble"
}

# assembled NAME: "object elements instructions around" of one of our kernels.
assembled() {
    "$BATS_FILE_TMPDIR/assemble" "$BATS_FILE_TMPDIR" "$kernels/$1.ptt"
}

object() {
    assembled "$1" | cut -d' ' -f1
}

# bats test_tags=elsewhere
@test "every kernel is there, assembles, and its header agrees with its body" {
    files=("$root"/kernels/*/*.ptt)
    run -0 "$BATS_FILE_TMPDIR/assemble" "$BATS_TEST_TMPDIR" "${files[@]}"
    [ "${#lines[@]}" -eq "${#files[@]}" ]
    for name in $names; do [ -r "$kernels/$name.ptt" ]; done
}

# bats test_tags=long
@test "likwid-bench runs every kernel under the prefix assay_" {
    for name in $names; do cp "$kernels/$name.ptt" "assay_$name.ptt"; done
    # On the node, because LIKWID pins to cores that do not exist where the host has no /sys.
    pids=()
    for name in $names; do
        "$assay" vnode -- likwid-bench -t "assay_$name" -w N:64kB:1 -i 10 >"$name.out" 2>&1 & pids+=($!)
    done
    wait "${pids[@]}"
    for name in $names; do
        echo "$name" && cat "$name.out"
        grep -q '^Instructions:' "$name.out"
        run -1 grep -iE 'error|cannot' "$name.out"
    done
}

# bats test_tags=elsewhere
@test "likwid-bench prefers its own kernel of the same name, so the prefix is needed" {
    cp "$kernels/load.ptt" .
    run -0 likwid-bench -l load
    [[ "$output" != *"$(sed -n 's/^DESC //p' load.ptt)"* ]]
}

@test "stream prints one line per point, on one thread and on two" {
    run -0 --separate-stderr "$stream" -c 0 -e nothing load.L1 "$(object load)" 1024 10 triad "$(object triad)" 4096 2
    [ -z "$stderr" ]
    [ "${lines[0]}" = "nothing threads 1 elements 0 sweeps 0 bytes_per_sweep 0 stream_bytes 0" ]
    [ "${lines[1]}" = "load.L1 threads 1 elements 1024 sweeps 10 bytes_per_sweep 8192 stream_bytes 8192" ]
    [ "${lines[2]}" = "triad threads 1 elements 4096 sweeps 2 bytes_per_sweep 131072 stream_bytes 131072" ]
    [ "$(nproc)" -ge 2 ] || skip "one CPU only"
    run -0 --separate-stderr "$stream" -c 0-1 -s 128 copy_nt "$(object copy_nt)" 1600 3
    [ "$output" = "copy_nt threads 2 elements 1600 sweeps 3 bytes_per_sweep 51200 stream_bytes 51200" ]
}

@test "stream reads points from a file" {
    printf '# points\n\na %s 16 1\nb\t%s 32 2\n' "$(object load)" "$(object store)" >points
    run -0 --separate-stderr "$stream" -c 0 -f points
    [ "${#lines[@]}" -eq 2 ]
    printf 'a %s 16 1\nb x\n' "$(object load)" >points
    fails_with 2 "points:2: only 2 words" "$stream" -c 0 -f points
    printf 'a x 16 1 1\n' >points
    fails_with 2 "points:1: too many words" "$stream" -c 0 -f points
}

# instructions KERNEL ELEMENTS SWEEPS: of the whole program.
instructions() {
    valgrind --tool=cachegrind --cachegrind-out-file=/dev/null "$stream" -c 0 x "$1" "$2" "$3" 2>&1 |
        awk '/I +refs:/ { gsub(",", ""); print $NF }'
}

@test "100 more sweeps are exactly the counted instructions of 100 sweeps" {
    for name in load daxpy triad_nt; do
        read -r file elements pass around <<<"$(assembled $name)"
        few=$(instructions "$file" 1600 100)
        many=$(instructions "$file" 1600 200)
        echo "$name: $few $many"
        [ $((many - few)) -eq $((100 * (around + 1600 / elements * pass))) ]
    done
}

@test "stream refuses what it cannot run, in one line" {
    load=$(object load)
    fails_with 2 "no CPUs; give --cpus LIST" "$stream" a "$load" 16 1
    fails_with 2 "no points" "$stream" -c 0
    fails_with 2 "--reads r: give REGION=TIMES" "$stream" -c 0 -r r
    fails_with 2 "--reads: TIMES is '0'" "$stream" -c 0 -r r=0
    fails_with 2 "--cpus 'x'" "$stream" -c x a "$load" 16 1
    fails_with 2 "CPU 0 twice" "$stream" -c 0,0 a "$load" 16 1
    fails_with 1 "CPU 1023: " "$stream" -c 1023 a "$load" 16 1
    fails_with 2 "3 words after the options" "$stream" -c 0 a "$load" 16
    fails_with 2 "ELEMENTS 17 is no multiple of the 16 elements" "$stream" -c 0 a "$load" 17 1
    fails_with 2 "ELEMENTS is '-16'" "$stream" -c 0 a "$load" -16 1
    fails_with 2 "SWEEPS is '0'" "$stream" -c 0 a "$load" 16 0
    fails_with 1 "give smaller points" "$stream" -c 0 a "$load" 16000000000000 1
    fails_with 2 "region 'a,b'" "$stream" -c 0 a,b "$load" 16 1
    fails_with 2 "region 'a' again" "$stream" -c 0 a "$load" 16 1 a "$load" 16 1
    fails_with 2 "cannot open kernel" "$stream" -c 0 a /nowhere/x.so 16 1
    fails_with 2 "has no symbol assay_kernel_object" "$stream" -c 0 a "$(ldd "$stream" | awk '/libc.so/ { print $3 }')" 16 1
    fails_with 2 "/nowhere: No such file" "$stream" -c 0 -f /nowhere
    fails_with 2 "--stagger '7'" "$stream" -c 0 -s 7 a "$load" 16 1
    fails_with 2 "unknown option '-z'" "$stream" -z
    fails_with 1 "standard output" bash -c "'$stream' -c 0 a '$load' 16 1 >/dev/full"
}
