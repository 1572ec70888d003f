/* object.h - symbols that an assembled kernel exports: the contract between the assembler (assemble.c), the counter
 * (count.c) and programs that run kernels (patterns/stream).
 *
 * A kernel is a shared object with three symbols. Nothing in it depends on its file name or on the kernel's name.
 *
 *   assay_kernel_run     calls the kernel `sweeps` times, once per sweep over the streams, then executes one
 *                        store fence to empty the write-combining buffers. Its own events are part of the
 *                        kernel's counts.
 *   assay_kernel_object  struct kernel_object
 *   assay_kernel_lines   `lines` x struct kernel_line, by ascending offset: each instruction's line in the .ptt
 *
 * In addition to the streams each sweep touches these cache lines: it reads the struct kernel_call (aligned by the
 * caller), writes one line of the stack, and reads the line of the constants if the kernel has any.
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

/* Number of streams whose pointers are passed in registers. More would need loads; likwid-bench's kernels avoid these,
 * too. */
enum { KERNEL_STREAMS_MAX = 5 };

enum kernel_type { KERNEL_DOUBLE, KERNEL_SINGLE, KERNEL_INT };

struct kernel_call {
    alignas(64) uint64_t elements;    /* per stream and sweep: kernel_object.elements or a multiple */
    void *stream[KERNEL_STREAMS_MAX]; /* unused ones may be NULL */
    uint64_t sweeps;                  /* at least 1 */
};

typedef void kernel_run(const struct kernel_call *call);

/* Offsets are in bytes from the kernel's first instruction. */
struct kernel_object {
    uint32_t version;       /* KERNEL_OBJECT_VERSION */
    uint32_t type;          /* enum kernel_type */
    uint32_t streams;       /* 1 to KERNEL_STREAMS_MAX */
    uint32_t elements;      /* elements of each stream per pass of the loop */
    uint32_t element_bytes; /* 8 for double, else 4 */
    uint32_t bytes;         /* BYTES of the header: loaded and stored per element, all streams */
    uint32_t lines;
    uint32_t loop_begin, loop_end; /* the loop; all other code runs once per call */
    uint32_t kernel_end;
    uint32_t run_begin, sweep_begin, sweep_end, run_end; /* assay_kernel_run: run once, per sweep, once */
    int32_t kernel; /* offset of the kernel's first instruction from assay_kernel_run (negative) */
};

struct kernel_line {
    uint32_t offset;
    uint32_t line; /* in the .ptt, from 1; 0: code of the frame around the body */
};

#endif
