/* pmu.c - passes register accesses to the register's unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu.h"

#include "core.h"
#include "plain.h"
#include "uncore.h"

enum pmu_answer pmu_check(const struct pmu *pmu, int32_t device, uint32_t cpu) {
    const struct sim_config *config = &pmu->view.node->config;
    if (device == 0)
        return cpu < sim_cpus(config) ? PMU_OK : PMU_NO_CPU;
    return cpu < config->sockets && uncore_has_device(pmu, cpu, device) ? PMU_OK : PMU_NO_DEVICE;
}

enum pmu_answer pmu_read(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t *data) {
    enum pmu_answer answer = pmu_check(pmu, device, cpu);
    *data = 0;
    if (answer != PMU_OK || device != 0)
        return answer != PMU_OK ? answer : uncore_read(pmu, device, cpu, reg, data);
    answer = core_read(pmu, cpu, reg, data);
    if (answer == PMU_NO_REGISTER)
        answer = plain_read(pmu, cpu, reg, data);
    if (answer == PMU_NO_REGISTER)
        answer = uncore_read(pmu, 0, cpu, reg, data);
    return answer;
}

enum pmu_answer pmu_write(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t data) {
    enum pmu_answer answer = pmu_check(pmu, device, cpu);
    if (answer != PMU_OK || device != 0)
        return answer != PMU_OK ? answer : uncore_write(pmu, device, cpu, reg, data);
    answer = core_write(pmu, cpu, reg, data);
    if (answer == PMU_NO_REGISTER)
        answer = plain_write(pmu, cpu, reg, data);
    if (answer == PMU_NO_REGISTER)
        answer = uncore_write(pmu, 0, cpu, reg, data);
    return answer;
}
