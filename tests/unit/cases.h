/* cases.h - number of random cases of a test: `few` in `make test`, `all` if TEST_FULL is set (`make test-full`).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_CASES_H
#define ASSAY_TESTS_CASES_H

#include <stdlib.h>

static inline unsigned test_cases(unsigned few, unsigned all) {
    const char *full = getenv("TEST_FULL");
    return full && *full ? all : few;
}

#endif
