#!/bin/sh
# health_check.sh - for Slurm's HealthCheckProgram, Prolog or Epilog: drains the node whose hardware counters do not count as they should.
#     HealthCheckProgram=/shared/assay/health_check.sh
#     HealthCheckInterval=86400
#     HealthCheckNodeState=IDLE,CYCLE
# Slurm ends a health check after 60 s; assay validate --health takes less. An unknown result (status 2) drains no node.
# SPDX-License-Identifier: GPL-3.0-or-later
assay=${ASSAY:-/shared/assay/bin/assay}
reference=${ASSAY_REFERENCE:-/shared/assay/reference/$(uname -m).json}
node=${ASSAY_NODE:-native}
export HOME="${HOME:-/tmp}"

line=$("$assay" validate --health --node "$node" --reference "$reference" 2>/dev/null)
status=$?
logger -t assay "$line" 2>/dev/null
if [ "$status" -eq 1 ]; then
    scontrol update NodeName="${SLURMD_NODENAME:-$(uname -n | cut -d. -f1)}" State=DRAIN Reason="$(printf '%s' "$line" | cut -c 1-200)"
fi
exit 0
