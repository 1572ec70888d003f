/* call_each_vector [passes] - one vector FMA a call: through a table of functions, with checked index and a copied
 * argument. */
#include "start.h"

enum { VECTORS = 256 };

struct call {
    long index, limit;
    const doubles *source;
    doubles *target;
};

typedef int operation(const struct call *call);

static __attribute__((noinline)) int scale(const struct call *call) {
    if (call->index < 0 || call->index >= call->limit)
        return -1;
    call->target[call->index] = call->source[call->index] * 2.0 + call->target[call->index];
    return 0;
}

static operation *operations[4] = {scale, scale, scale, scale};

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 2500);
    doubles *a = (doubles *)pages(VECTORS * sizeof *a), *b = (doubles *)pages(VECTORS * sizeof *b);
    for (int i = 0; i < VECTORS; i++)
        a[i] = b[i] = (doubles){1, 2, 3, 4};
    operation **table = operations;
    OPAQUE(table);
    int errors = 0;
    for (long pass = 0; pass < passes; pass++)
        for (long i = 0; i < VECTORS; i++) {
            struct call call = {i, VECTORS, a, b};
            errors += table[i % 4](&call);
        }
    print_double(sum_of(b[VECTORS - 1]) + errors);
}
