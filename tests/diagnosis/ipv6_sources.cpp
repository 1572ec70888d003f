// ipv6_sources [thousand packets] - mixes the source addresses of IPv6 packets in a ring of 128 slots of 128 bytes: 32
// bytes of the driver, 14 bytes of Ethernet, 8 bytes of IPv6, and then the address.
#include "start.h"
#include <cstring>

typedef uint64_t address __attribute__((vector_size(16)));
constexpr int SLOTS = 128, SLOT = 128, SOURCE = 32 + 14 + 8;

static inline address source_of(const char *slot) {
    address value;
    memcpy(&value, slot + SOURCE, sizeof value);
    return value;
}

int main(int argc, char **argv) {
    long packets = argument(argc, argv, 1, 10000) * 1000;
    char *ring = static_cast<char *>(pages(SLOTS * SLOT));
    for (int i = 0; i < SLOTS * SLOT; i++)
        ring[i] = char(i * 11 + i / 128);
    address a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
    for (long packet = 0; packet < packets; packet += 8) {
        const char *slot = ring + packet % SLOTS * SLOT;
        OPAQUE(slot);
        a += source_of(slot);
        b ^= source_of(slot + SLOT);
        c += source_of(slot + 2 * SLOT);
        d ^= source_of(slot + 3 * SLOT);
        e += source_of(slot + 4 * SLOT);
        f ^= source_of(slot + 5 * SLOT);
        g += source_of(slot + 6 * SLOT);
        h ^= source_of(slot + 7 * SLOT);
    }
    a += b + c + d + e + f + g + h;
    print_integer(a[0] ^ a[1]);
}
