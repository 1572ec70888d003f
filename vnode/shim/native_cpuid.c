/* native_cpuid.c - the node's counters of memory channels for LIKWID's native tools.
 *
 * Native processes execute the host's CPUID. LIKWID takes nearly everything from files, but from 5.5 on the number of
 * AMD's UMC counters from CPUID leaf 0x80000022, so a tool would know the host's counters only. In liblikwid an
 * undefined instruction replaces the CPUID that follows `mov $0x80000022, %eax`, and the signal's handler answers.
 * Where code may not be made writable nothing is replaced.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "shim.h"

enum { LEAF = 0x80000022, REACH = 64 }; /* LIKWID saves registers between the two instructions: 36 bytes in 5.5 */

static const unsigned char ask[] = {0xb8, 0x22, 0, 0, 0x80}, cpuid[] = {0x0f, 0xa2}, undefined[] = {0x0f, 0x0b};

static struct sigaction before;

static void answer(int number, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uint32_t words[4];
    (void)info;
    if ((uint32_t)registers[REG_RAX] != LEAF) {
        sigaction(number, &before, NULL); /* another instruction, which the process executes again */
        return;
    }
    identity_perfmon2_leaf(&shim()->config, &shim()->perfmon2, words);
    registers[REG_RAX] = words[0];
    registers[REG_RBX] = words[1];
    registers[REG_RCX] = words[2];
    registers[REG_RDX] = words[3];
    registers[REG_RIP] += sizeof undefined;
}

static void replace(unsigned char *code, size_t size) {
    const unsigned char *end = code + size;
    for (unsigned char *at = code; (at = memmem(at, (size_t)(end - at), ask, sizeof ask)); at++) {
        size_t left = (size_t)(end - at);
        unsigned char *found = memmem(at, left < REACH ? left : REACH, cpuid, sizeof cpuid);
        if (found)
            memcpy(found, undefined, sizeof undefined);
    }
}

/* Callback of dl_iterate_phdr(): replaces in the code that contains the address. */
static int replace_at(struct dl_phdr_info *library, size_t size, void *address) {
    (void)size;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        unsigned char *code = (unsigned char *)library->dlpi_addr + part->p_vaddr; // NOLINT: an address
        size_t offset = (size_t)code % (size_t)sysconf(_SC_PAGESIZE);
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || (unsigned char *)address < code ||
            (unsigned char *)address >= code + part->p_memsz)
            continue;
        if (mprotect(code - offset, offset + part->p_memsz, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
            replace(code, part->p_memsz);
            mprotect(code - offset, offset + part->p_memsz, PROT_READ | PROT_EXEC);
        }
        return 1;
    }
    return 0;
}

void native_cpuid_answer(void *caller) {
    static int done;
    const struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO};
    if (done || !shim()->active || shim()->simulated || !shim()->perfmon2.core || !likwid_library_at(caller))
        return;
    done = 1;
    if (sigaction(SIGILL, &action, &before) == 0)
        dl_iterate_phdr(replace_at, caller);
}
