// virtual_elements [passes] - vectors behind virtual get and set; one FMA of 32 bytes for three virtual calls.
#include "start.h"

struct container {
    virtual ~container() = default;
    virtual doubles get(long index) const = 0;
    virtual void set(long index, doubles value) = 0;
};

struct offset_array : container {
    static constexpr long SIZE = 256;
    long offset = 3;
    doubles values[SIZE]{};
    doubles get(long index) const override {
        return values[(index + offset) % SIZE & (SIZE - 1)];
    }
    void set(long index, doubles value) override {
        values[(index + offset) % SIZE & (SIZE - 1)] = value;
    }
};

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 2000);
    container *a = new offset_array, *b = new offset_array;
    OPAQUE(a);
    OPAQUE(b);
    for (long i = 0; i < offset_array::SIZE; i++)
        a->set(i, doubles{1, 2, 3, 4});
    for (long pass = 0; pass < passes; pass++)
        for (long i = 0; i < offset_array::SIZE; i++)
            b->set(i, a->get(i) * 2.0 + b->get(i));
    print_double(sum_of(b->get(7)));
    delete a;
    delete b;
}
