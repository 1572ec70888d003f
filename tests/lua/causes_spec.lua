-- causes_spec.lua - texts of blame, and of LIKWID's values that contradict its own counters.
-- SPDX-License-Identifier: GPL-3.0-or-later
local causes = require "report.text.causes"
local recomputed = require "judge.recomputed"

-- more: likwid, unit, recomputed or why
local function finding(metric, group, more, values)
    local entry = { group = group, metric = metric, unit = more.unit, likwid = more.likwid, recomputed = more.recomputed, why = more.why }
    entry.text = ("%s (%s values)"):format(recomputed.line(entry, group), values)
    return entry
end

describe("causes", function()
    it("are blame, then findings", function()
        local one = finding("CPI", "ASSAY_L2", { likwid = 1, recomputed = 2 }, "3 of 4")
        local texts = causes.texts { blame = { { text = "B counts nothing" } }, findings = { one } }
        assert.same({ "B counts nothing", "formula: CPI of ASSAY_L2: LIKWID shows 1, its counters say 2 (3 of 4 values)" }, texts)
    end)

    it("merge findings of several groups", function()
        local absent, findings = { likwid = 0, unit = "s", why = "FIXC1 gave no value (dash)" }, {}
        local same = "LIKWID shows 0 s, FIXC1 gave no value (dash)"
        for i, group in ipairs { "ASSAY_A", "ASSAY_B", "ASSAY_C", "ASSAY_D", "ASSAY_E" } do
            findings[i] = finding("Runtime", group, absent, i .. " of 5")
        end
        findings[6] = finding("CPI", "ASSAY_A", absent, "1 of 1")
        findings[7] = finding("Runtime", "ASSAY_F", { likwid = 2, unit = "s", recomputed = 1 }, "1 of 1")
        assert.same({
            "formula: Runtime of ASSAY_A, ASSAY_B, ASSAY_C and 2 others: " .. same,
            "formula: CPI of ASSAY_A: " .. same .. " (1 of 1 values)",
            "formula: Runtime of ASSAY_F: LIKWID shows 2 s, its counters say 1 s (1 of 1 values)",
        }, causes.texts { findings = findings })
    end)
end)
