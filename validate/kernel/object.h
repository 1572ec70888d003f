/* object.h - what an assembled kernel exports: the contract between the assembler (assemble.c), the counter (count.c)
 * and programs that run kernels (patterns/stream).
 *
 * A kernel is a shared object with three symbols. Nothing in it depends on its file name or on the kernel's name.
 *
 *   assay_kernel_run     sweeps over the streams: calls the kernel `sweeps` times, then one store fence, so that
 *                        write-combining buffers are empty when it returns. Its own cost is counted with the kernel's.
 *   assay_kernel_object  struct kernel_object
 *   assay_kernel_lines   `lines` x struct kernel_line, by rising offset: which line of the .ptt an instruction is from
 *
 * Besides the streams each sweep touches whole cache lines of its own: that of the call, which it reads (the caller
 * aligns it), one of the stack, which it writes, and of a kernel that reads constants the one that these are in.
 *
 * The kernel itself has the calling convention of likwid-bench: elements in rdi, stream 0 to 4 in rsi, rdx, rcx, r8,
 * r9. */
#ifndef ASSAY_KERNEL_OBJECT_H
#define ASSAY_KERNEL_OBJECT_H

#include <stdalign.h>
#include <stdint.h>

#define KERNEL_RUN_SYMBOL "assay_kernel_run"
#define KERNEL_OBJECT_SYMBOL "assay_kernel_object"
#define KERNEL_LINES_SYMBOL "assay_kernel_lines"

enum { KERNEL_OBJECT_VERSION = 1 };

/* Streams whose pointers are passed in registers; further ones would need loads that likwid-bench's own kernels avoid
 * too. */
enum { KERNEL_STREAMS_MAX = 5 };

enum kernel_type { KERNEL_DOUBLE, KERNEL_SINGLE, KERNEL_INT };

struct kernel_call {
    alignas(64) uint64_t elements;    /* per stream and sweep: a multiple of kernel_object.elements, at least one */
    void *stream[KERNEL_STREAMS_MAX]; /* those that the kernel does not use may be NULL */
    uint64_t sweeps;                  /* at least 1 */
};

typedef void kernel_run(const struct kernel_call *call);

/* Offsets are in bytes from the kernel's first instruction. */
struct kernel_object {
    uint32_t version;       /* KERNEL_OBJECT_VERSION */
    uint32_t type;          /* enum kernel_type */
    uint32_t streams;       /* 1 to KERNEL_STREAMS_MAX */
    uint32_t elements;      /* elements of each stream that one pass of the loop does */
    uint32_t element_bytes; /* 8 for double, else 4 */
    uint32_t bytes;         /* header's BYTES: loaded and stored per element, all streams together */
    uint32_t lines;
    uint32_t loop_begin, loop_end; /* the loop; before and after it: once per call */
    uint32_t kernel_end;
    uint32_t run_begin, sweep_begin, sweep_end, run_end; /* assay_kernel_run: once, per sweep, once */
    int32_t kernel; /* offset of the kernel's first instruction from assay_kernel_run (negative) */
};

struct kernel_line {
    uint32_t offset;
    uint32_t line; /* of the .ptt, from 1; 0: not from the .ptt but from the frame around it */
};

#endif
