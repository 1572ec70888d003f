/* boxed_arrays [thousand steps] - sum += weight * value on boxed values of four doubles, as an interpreter does it:
 * with types and counted references. */
#include "start.h"

enum { BOXES = 128, VECTOR = 7 };

struct box {
    int32_t type, references;
    int64_t length;
    _Alignas(32) doubles value;
};

static __attribute__((noinline)) struct box *retain(struct box *box) {
    if (box == NULL)
        abort();
    box->references++;
    return box;
}

static __attribute__((noinline)) void release(struct box *box) {
    if (--box->references == 0)
        free(box);
}

static __attribute__((noinline)) int multiply_add(struct box *sum, const struct box *weight, const struct box *value) {
    if (sum->type != VECTOR || weight->type != VECTOR || value->type != VECTOR)
        return -1;
    if (sum->length != value->length || weight->length != value->length)
        return -2;
    sum->value += weight->value * value->value;
    return 0;
}

int main(int argc, char **argv) {
    long steps = argument(argc, argv, 1, 700) * 1000;
    /* 32 boxes between sums and values: no load has the page offset of a recent store. */
    struct box *values = (struct box *)pages((2 * BOXES + 34) * sizeof *values), *sums = values + BOXES + 32;
    struct box *weight = sums + BOXES + 1, first = {VECTOR, 1, 4, {1, 2, 3, 4}};
    for (int i = 0; i < BOXES; i++)
        values[i] = sums[i] = *weight = first;
    int errors = 0;
    for (long i = 0; i < steps; i++) {
        struct box *value = retain(&values[i % BOXES & (BOXES - 1)]), *sum = retain(&sums[i % BOXES & (BOXES - 1)]);
        errors += multiply_add(sum, weight, value);
        release(sum);
        release(value);
    }
    print_double(sum_of(sums[5].value) + errors);
}
