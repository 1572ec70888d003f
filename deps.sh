#!/bin/sh
# deps.sh - finds what Assay needs and is missing; installs it where it may, else prints the one command that does.
# usage: deps.sh [--test | --check | --programs] (also what that target of make needs). Exit status: 0 all there, 2 something
# is missing.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

# what|how to see that it is there|Debian package|Fedora package|Spack package
needs() {
    cat <<'TABLE'
C compiler|command -v cc || command -v gcc|gcc|gcc|gcc
libc headers|test -e /usr/include/stdio.h|libc6-dev|glibc-devel|
make|command -v make|make|make|gmake
pkg-config|command -v pkg-config|pkg-config|pkgconf|pkgconf
LIKWID|command -v likwid-perfctr || test -x "${LIKWID_PREFIX:-/nonexistent}/bin/likwid-perfctr"|likwid|likwid|likwid
Lua 5.4|pkg-config --exists lua5.4 || pkg-config --exists 'lua >= 5.4'|liblua5.4-dev|lua-devel|lua@5.4
Lua 5.4 interpreter|command -v lua5.4 || lua -e 'assert(_VERSION == "Lua 5.4")'|lua5.4|lua|lua@5.4
hwloc|pkg-config --exists hwloc|libhwloc-dev|hwloc-devel|hwloc
Capstone|pkg-config --exists capstone|libcapstone-dev|capstone-devel|capstone
jansson|pkg-config --exists jansson|libjansson-dev|jansson-devel|jansson
zlib|pkg-config --exists zlib|zlib1g-dev|zlib-devel|zlib
GLPK|${CC:-cc} -E -include glpk.h -x c /dev/null|libglpk-dev|glpk-devel|glpk
gnuplot|command -v gnuplot|gnuplot-nox|gnuplot|gnuplot
Valgrind with headers|test -e "${VALGRIND_INCLUDE:-/usr/include/valgrind}/pub_tool_basics.h"|valgrind|valgrind-tools-devel|valgrind
TABLE
    [ "${1:-}" = --programs ] && cat <<'TABLE'
Fortran compiler|command -v gfortran|gfortran|gcc-gfortran|
MPI|mpicc -E -include mpi.h -x c /dev/null && command -v mpirun|libopenmpi-dev openmpi-bin|openmpi-devel|openmpi
SQLite's shell|command -v sqlite3|sqlite3|sqlite|sqlite
gzip|command -v gzip|gzip|gzip|gzip
Java compiler|command -v java && command -v javac|default-jdk-headless|java-latest-openjdk-devel|openjdk
Node.js|command -v node|nodejs|nodejs|node-js
LuaJIT|command -v luajit|luajit|luajit|luajit
libffi|${CC:-cc} -E -include ffi.h -x c /dev/null|libffi-dev|libffi-devel|libffi
FFTW|ls /usr/lib/*/libfftw3.so.3|libfftw3-double3|fftw-libs-double|fftw
xz|command -v xz|xz-utils|xz|xz
NumPy with OpenBLAS|/usr/bin/python3 -c 'import numpy' && ls /usr/lib/*/libopenblas.so.0|python3-numpy libopenblas0-pthread|python3-numpy|py-numpy
TABLE
    [ "${1:-}" = --test ] && cat <<'TABLE'
clang|command -v clang|clang|clang|llvm
llvm-mca|command -v llvm-mca|llvm|llvm|llvm
compiler runtime of clang|ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.asan-x86_64.a|libclang-rt-dev|compiler-rt|
OpenBLAS|ls /usr/lib/*/libopenblas.so.0 || ls /usr/lib64/libopenblas.so.0|libopenblas0-pthread|openblas-serial|openblas
libfuse|pkg-config --exists fuse3|libfuse3-dev|fuse3-devel|libfuse
cmocka|test -e /usr/include/cmocka.h|libcmocka-dev|libcmocka-devel|cmocka
busted|command -v busted|lua-busted|lua-busted|
bats|command -v bats|bats|bats|bats
hwloc's tools|command -v hwloc-bind && command -v lstopo-no-graphics|hwloc-nox|hwloc|hwloc
numactl|command -v numactl|numactl|numactl|numactl
MPI|mpicc -E -include mpi.h -x c /dev/null && command -v mpirun|libopenmpi-dev openmpi-bin|openmpi-devel|openmpi
OpenMP of LLVM|ls /usr/lib/llvm-*/lib/libomp.so || test -e /usr/lib64/libomp.so|libomp-dev|libomp-devel|
Slurm|command -v slurmctld && command -v slurmd && command -v sbatch && command -v munged|slurm-wlm munge|slurm-slurmctld slurm-slurmd slurm munge|slurm
perf|command -v perf|linux-perf|perf|
PAPI's tools|command -v papi_avail|papi-tools|papi|papi
process tools|command -v pgrep|procps|procps-ng|procps
chromium|command -v chromium|chromium|chromium|
jq|command -v jq|jq|jq|jq
libpfm4|ls /usr/lib/*/libpfm.so.4 || ls /usr/lib64/libpfm.so.4|libpfm4|libpfm|libpfm4
JSON schema checker|python3 -c 'import jsonschema'|python3-jsonschema|python3-jsonschema|py-jsonschema
YAML reader|python3 -c 'import yaml'|python3-yaml|python3-pyyaml|py-pyyaml
TABLE
    [ "${1:-}" = --check ] && cat <<'TABLE'
clang|command -v clang|clang|clang|llvm
clang-format|command -v clang-format|clang-format|clang-tools-extra|llvm
luacheck|command -v luacheck|lua-check|luacheck|
Python 3.11|python3 -c 'import tomllib'|python3|python3|python
man page checker|command -v mandoc|mandoc|mandoc|
TABLE
}

missing=$(needs "${1:-}" | while IFS= read -r line; do
    probe=$(printf '%s' "$line" | sed 's/||/\x01/g' | cut -d'|' -f2 | sed 's/\x01/||/g')
    sh -c "$probe" >/dev/null 2>&1 || printf '%s\n' "$line" | sed 's/||/\x01/g'
done)
[ -z "$missing" ] && exit 0

packages() { printf '%s\n' "$missing" | cut -d'|' -f"$1" | grep . | sort -u | tr '\n' ' ' | sed 's/ $//'; }
names=$(printf '%s\n' "$missing" | cut -d'|' -f1 | tr '\n' ',' | sed 's/,$//; s/,/, /g')
echo "missing: $names" >&2

if command -v apt-get >/dev/null 2>&1; then
    command="apt-get install -y --no-install-recommends $(packages 3)"
    if [ "$(id -u)" = 0 ]; then
        echo "+ $command" >&2
        export DEBIAN_FRONTEND=noninteractive
        # shellcheck disable=SC2086
        { apt-get update -qq && $command; } >&2 && exit 0
        echo "deps.sh: the installation failed; run: $command" >&2
        exit 2
    fi
    echo "install with: sudo $command" >&2
elif command -v dnf >/dev/null 2>&1; then
    command="dnf install -y $(packages 4)"
    if [ "$(id -u)" = 0 ]; then
        echo "+ $command" >&2
        $command >&2 && exit 0
        echo "deps.sh: the installation failed; run: $command" >&2
        exit 2
    fi
    echo "install with: sudo $command" >&2
elif command -v spack >/dev/null 2>&1; then
    echo "install with: spack install $(packages 5) && spack load $(packages 5)" >&2
else
    echo "install with your package manager, by Debian's names: $(packages 3)" >&2
fi
exit 2
