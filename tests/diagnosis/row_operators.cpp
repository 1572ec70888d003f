// row_operators [passes] - query y = a * x + b as a tree of operators that hand on four values of a column at a time.
#include "start.h"

typedef doubles batch;
constexpr long ROWS = 256;

struct source {
    virtual ~source() = default;
    virtual bool is_null() const = 0;
    virtual batch next() = 0;
};

struct scan final : source {
    batch column[ROWS]{};
    long at = 0, rows = ROWS;
    uint64_t nulls[ROWS / 64]{};
    bool is_null() const override {
        return nulls[at / 64 % 4] >> (at % 64) & 1;
    }
    batch next() override {
        if (at >= rows)
            at = 0;
        return column[at++];
    }
};

template <bool Product> struct apply final : source {
    source *child;
    batch constant;
    apply(source *of, double value) : child(of), constant(batch{} + value) {
    }
    bool is_null() const override {
        return child->is_null();
    }
    batch next() override {
        if (child->is_null())
            return constant;
        batch value = child->next();
        return Product ? value * constant : value + constant;
    }
};

alignas(4096) static scan table;
alignas(4096) static batch out[ROWS];

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 1500);
    for (long i = 0; i < ROWS; i++)
        table.column[i] = batch{double(i), 1, 2, 3};
    source *leaf = &table;
    OPAQUE(leaf);
    source *product = new apply<true>(leaf, 0.5), *query = new apply<false>(product, 3);
    OPAQUE(query);
    for (long pass = 0; pass < passes; pass++)
        for (batch &row : out)
            row = query->next();
    print_double(sum_of(out[7]) + sum_of(out[255]));
    delete query;
    delete product;
}
