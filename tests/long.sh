#!/usr/bin/env bash
# `make test-long`: tests/run with the environment's ONLY=, then tests/distribution; closes with "N passed, N failed" of both.
#
#     tests/long.sh [SUITE] -- UNIT_TEST_PROGRAM...
#
# SUITE is the second distribution's; without it there is none. SPDX-License-Identifier: GPL-3.0-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/add.bash
suite=
[ "$1" = -- ] || { suite=$1; shift; }
shift
[ -z "$suite" ] || tests/distribution "$suite" root </dev/null >/dev/null 2>&1 & # made meanwhile; if that fails, the call below says why
add "long tests" tests/run "$@"
[ -z "$suite" ] || add "Debian $suite" env -u ONLY -u NODES tests/distribution "$suite"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
