#!/bin/sh
# rig_inside.sh COMMAND... - within a virtual node that stands for a machine: LIKWID's programs are found through wrappers that keep the
# node's variables, which Assay removes from the environment of what it measures.
# SPDX-License-Identifier: GPL-3.0-or-later
[ -z "${CPUS:-}" ] || exec taskset -c "$(echo "$CPUS" | tr " " ,)" env -u CPUS sh "$0" "$@"
if [ -n "${REGISTERS:-}" ]; then # rig.bash: direct_machine
    echo "$ASSAY_NODE_DIR" >node
    read -r _ <served
fi
bin=$PWD/rig
mkdir -p "$bin"
names='LD_PRELOAD ASSAY_NODE_DIR ASSAY_NODE_TOOLS ASSAY_NODE_AFFINITY HWLOC_XMLFILE HWLOC_THISSYSTEM LIKWID_TOPO_FILE VALGRIND_LIB LD_BIND_NOW'
for program in likwid-perfctr likwid-features likwid-pin; do
    {
        echo '#!/bin/sh'
        for name in $names; do eval "printf \"export %s='%s'\n\" $name \"\$$name\""; done
        [ "$program" = likwid-perfctr ] || ACCESS=
        echo "exec $(command -v $program) ${ACCESS:-} \"\$@\""
    } >"$bin/$program"
    chmod +x "$bin/$program"
done
unset REGISTERS REFUSED ACCESS
PATH=$bin:$PATH exec "$@"
