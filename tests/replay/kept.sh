#!/bin/sh
# kept.sh FILE ARGUMENT... - runs a quick campaign of the default virtual node (or --node NODE) and saves the data to be judged in FILE
# (keep.lua).
# SPDX-License-Identifier: GPL-3.0-or-later
#
# From the project's folder. tests/records/campaign.lua: bandwidth_saturation avx_flops --only daxpy
set -e
file=$1
shift
data=$(mktemp -d)
trap 'rm -r "$data"' EXIT
ln -s "$PWD"/* "$data/"
rm "$data/lua"
ln -sfn "$(realpath "${BUILD:-build}")/groups" "$data/groups"
cp -rs "$PWD/lua" "$data/"
ln -sf "$PWD/tests/replay/keep.lua" "$data/lua/judge/assess.lua"
REPLAY_ROOT=$PWD REPLAY_OUT=$file ASSAY_DATA=$data "${BUILD:-build}/assay" validate --node virtual "$@" --quick >&2
