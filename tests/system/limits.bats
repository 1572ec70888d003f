#!/usr/bin/env bats
# Unsupported requests of programs on the virtual node: our message of one line, and the result that the program gets.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# compile NAME: the body of main() on stdin
compile() {
    { printf '%s\n' '#include <errno.h>' '#include <signal.h>' '#include <stdio.h>' '#include <sys/mman.h>' \
        '#include <sys/syscall.h>' '#include <unistd.h>' 'int main(void) {'; cat; echo 'return 0; }'; } >"$1.c"
    gcc -O1 -D_GNU_SOURCE -o "$1" "$1.c"
}

# on_node COMMAND...: sets status, output and stderr, as `run` does
on_node() {
    run --separate-stderr "$assay" vnode -- "$@"
    echo "status $status, output: $output, stderr: $stderr"
}

# bats test_tags=elsewhere
@test "an instruction that the node lacks: its name, place and remedy are printed, and the program gets SIGILL" {
    compile vectors <<<'__asm__ volatile("vaddpd %zmm1, %zmm2, %zmm3");'
    fails_with 132 "./vectors: illegal instruction at 0x" "$assay" vnode -- ./vectors
    [[ "$stderr" == *"the node does not have \`vaddpd zmm3"*"zmm2, zmm1'; compile for "*"-march=x86-64-v3"* ]]
    address=0x$(objdump -d vectors | sed -n 's/^ *\([0-9a-f]*\):.*zmm.*/\1/p')
    [[ "$stderr" == *"($PWD/vectors+$address)"* ]]
    run -132 --separate-stderr "$assay" vnode -- likwid-perfctr -C 0 -g L2 ./vectors
    [ "$(grep -c "illegal instruction" <<<"$stderr")" -eq 1 ]
}

@test "an instruction that the disassembler does not know: its bytes are printed" {
    compile unknown <<<'__asm__ volatile(".byte 0x0f, 0x04, 1, 2, 3");'
    fails_with 132 "the node does not have \`bytes 0f04010203" "$assay" vnode -- ./unknown
}

@test "a program that probes for an instruction by SIGILL continues, with one message" {
    compile looks <<'C'
        struct sigaction ignore = {.sa_handler = (void (*)(int))_exit};
        for (int i = 0; i < 3; i++)
            if (fork() == 0) {
                sigaction(SIGILL, &ignore, NULL);
                __asm__ volatile("kmovw %k1, %eax");
            }
C
    on_node ./looks
    [ "$status" -eq 0 ]
    [ "$(sort -u <<<"$stderr" | wc -l)" -eq 1 ]
    compile trap <<<'__builtin_trap();' # no processor has it
    on_node ./trap
    [ "$status" -eq 132 ]
    [[ "$stderr" != *"assay: "* ]]
}

@test "more mappings than Valgrind can hold give one line" {
    compile many <<'C'
        for (int i = 0; i < 30000; i++) {
            char *two = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            mprotect(two, 4096, PROT_READ | PROT_WRITE);
        }
C
    fails_with 1 "./many: ended: it has more mappings of memory than the engine can hold" "$assay" vnode -- ./many
}

@test "more address space than the node has: ENOMEM and one line; invalid requests give EINVAL as usual" {
    compile room <<'C'
        enum { FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
        for (int i = 0; i < 3; i++)
            printf("%d ", mmap(NULL, 200UL << 30, PROT_NONE, FLAGS, -1, 0) == MAP_FAILED ? errno : 0);
        printf("%d ", mmap(NULL, 0, PROT_NONE, FLAGS, -1, 0) == MAP_FAILED ? errno : 0);
        printf("%d ", mmap(NULL, 20UL << 30, PROT_NONE, FLAGS, -1, 0) == MAP_FAILED ? errno : 0);
C
    on_node ./room
    [ "$output" = "12 12 12 22 0 " ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"./room: no room for a mapping of 204800 MiB"* ]]
}

# bats test_tags=elsewhere
@test "system calls that Valgrind lacks: ENOSYS, without a message if programs have a fallback" {
    compile calls <<'C'
        enum { CLONE3 = 435, FUTEX_WAITV = 449, NO_CALL = 9999, USERFAULTFD = 323 };
        static const long calls[] = {CLONE3, FUTEX_WAITV, NO_CALL, USERFAULTFD, USERFAULTFD};
        for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
            printf("%d ", syscall(calls[i], 0, 0, 0, 0) < 0 ? errno : 0);
        printf("%d ", syscall(SYS_futex, NULL, 0, 0, NULL) < 0 ? errno : 0);
        printf("%d", syscall(SYS_bpf, 0, NULL, 0) < 0 ? errno : 0);
C
    on_node ./calls
    [ "$output" = "38 38 38 38 38 14 $(./calls | sed 's/.* //')" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"./calls: the node does not have Linux' system call 323: it fails (ENOSYS)"* ]]
}
