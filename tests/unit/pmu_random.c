/* pmu_random.c - random and invalid records do not break the register layer; counters stay within 48 bits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_fixture.h"
#include "xorshift.h"

enum { RECORDS = 300000 };

/* A register number, mostly near existing registers, so that it passes the first check. */
static uint32_t some_register(uint64_t *seed) {
    static const uint32_t bases[] = {0xc0, 0x180, 0x1a0, 0x300, 0x380, 0x700, 0xe00, 0xa0, 0xd0, 0xf0, 0x40};
    uint64_t r = next_random(seed);
    return r % 16 == 0 ? (uint32_t)(r >> 8) : bases[r % (sizeof bases / sizeof *bases)] + (uint32_t)(r >> 8) % 40;
}

PMU_TEST(random_records) {
    uint64_t seed = 0x9e3779b97f4a7c15, answered = 0;
    f->pmu.not_counted = NULL;
    for (int i = 0; i < RECORDS; i++) {
        uint64_t r = next_random(&seed), value = next_random(&seed) >> r % 64;
        int32_t device = r % 3 ? 0 : (int32_t)(r >> 8) % 70;
        uint32_t cpu = r % 31 == 0 ? (uint32_t)r : (uint32_t)(r >> 20) % 5, reg = some_register(&seed);
        enum pmu_answer answer;
        done(f)->core[r % 4].total[r % CORE_COUNTS] += r >> 40;
        done(f)->memory[r % 2].cas_read[r % 8] += r >> 50;
        if (r >> 60 & 1)
            answer = pmu_write(&f->pmu, device, cpu, reg, value);
        else
            answer = pmu_read(&f->pmu, device, cpu, reg, &value);
        answered += answer == PMU_OK;
        assert_true(answer == PMU_OK || answer == PMU_NO_CPU || answer == PMU_NO_REGISTER || answer == PMU_NO_DEVICE);
    }
    assert_true(answered > RECORDS / 20); /* otherwise too few records were valid */
    assert_int_equal(f->node.lock, 0);
    for (uint32_t core = 0; core < 4; core++)
        for (uint32_t i = 0; i < 8; i++)
            assert_int_equal(rd(f, 0, core, 0xc1 + i) >> 48, 0);
}
