-- matrix.lua - which faults are injected into every quantity, and what the verdict must be.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Quantities: series.lua. `line` is the fault's line, with $EVENT, $COUNTER, $BOX, $OTHER, and values that run.lua derives from a clean
-- run:
--   $ADD     half of the largest expected count, so that it is far above the tolerance of the largest point
--   $P       the probability that gives 15 % of the regions a spike on some counter of the event
--   $SOON    the largest expected count of one counter times the series' `soon`, or 1.5: a later region wraps
--   $BITS    bits that just hold the largest expected count of one counter: some region wraps, or a full wrap reads as 0
--   $FROM    $SOON, where the series' `soon` is less than 1: without it no counter would wrap
--   class, verdict      { .. }: any of these
--   factor, offset      the fitted constants, within 1 %; offset "$ADD": the formula's value if each of its counters shows $ADD
--   reason              a text that the metric's reason must contain
--   reps                repetitions, if one does not show the fault
--   effect = false      has no effect in runs that count less than 2^32: the metric must be exact
return {
    faults = {
        { name = "scale 0.6", line = "$EVENT scale 0.6", class = { "multiplicative" }, verdict = { "correctable" }, factor = 0.6 },
        { name = "scale 1.05", line = "$EVENT scale 1.05", class = { "multiplicative" }, verdict = { "correctable" }, factor = 1.05 },
        { name = "scale 3", line = "$EVENT scale 3", class = { "multiplicative" }, verdict = { "correctable" }, factor = 3 },
        { name = "add", line = "$EVENT add $ADD", class = { "bias" }, verdict = { "correctable" }, offset = "$ADD" },
        {
            name = "spike",
            line = "$EVENT spike 4 $P",
            class = { "random" },
            verdict = { "rejected", "qualitative" },
            reps = 8,
        },
        { name = "jitter", line = "$EVENT jitter 0.2", class = { "random" }, verdict = { "rejected", "qualitative" }, reps = 8 },
        { name = "stuck", line = "$EVENT stuck 1234567", class = { "missing" }, verdict = { "missing" } },
        {
            name = "wrap 32",
            line = "$EVENT wrap 32 $SOON",
            class = { "missing", "unknown" },
            verdict = { "missing", "rejected", "qualitative" },
            reason = "wrapped",
        },
        { name = "wrap 32 later", line = "$EVENT wrap 32", effect = false },
        {
            name = "wrap BITS",
            line = "$EVENT wrap $BITS $FROM",
            class = { "missing", "unknown" },
            verdict = { "missing", "rejected", "qualitative" },
        },
        { name = "swap", line = "$EVENT swap $OTHER", class = "swap", needs = "swap" },
        { name = "mirror", line = "$BOX mirror $OTHER", class = "mirror", needs = "mirror" },
        { name = "unfiltered", line = "$EVENT unfiltered", class = "unfiltered", needs = "unfiltered" },
        { name = "deny", line = "$COUNTER deny", class = { "missing" }, verdict = { "missing" }, reason = "no value" },
        {
            name = "nodevice",
            line = "$BOX nodevice",
            class = { "missing" },
            verdict = { "missing" },
            reason = "no value",
            needs = "box",
        },
    },
    clean_runs = 20,
}
