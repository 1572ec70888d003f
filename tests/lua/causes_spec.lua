-- causes_spec.lua - what is to blame, and LIKWID's own values that are not what its counters give, as texts.
-- SPDX-License-Identifier: GPL-3.0-or-later
local causes = require "report.text.causes"

local function finding(metric, group, what, values)
    return { group = group, metric = metric, text = ("formula: %s of %s: %s (%s values)"):format(metric, group, what, values) }
end

describe("causes", function()
    it("are blame, then findings", function()
        local record = { blame = { { text = "B counts nothing" } }, findings = { finding("CPI", "ASSAY_L2", "LIKWID shows 1", "3 of 4") } }
        assert.same({ "B counts nothing", "formula: CPI of ASSAY_L2: LIKWID shows 1 (3 of 4 values)" }, causes.texts(record))
    end)

    it("say once what is said of several groups", function()
        local same, findings = "LIKWID shows 0 s, FIXC1 gave no value (dash)", {}
        for i, group in ipairs { "ASSAY_A", "ASSAY_B", "ASSAY_C", "ASSAY_D", "ASSAY_E" } do
            findings[i] = finding("Runtime", group, same, i .. " of 5")
        end
        findings[6] = finding("CPI", "ASSAY_A", same, "1 of 1")
        findings[7] = finding("Runtime", "ASSAY_F", "LIKWID shows 2 s, its counters say 1 s", "1 of 1")
        assert.same({
            "formula: Runtime of ASSAY_A, ASSAY_B, ASSAY_C and 2 others: " .. same,
            "formula: CPI of ASSAY_A: " .. same .. " (1 of 1 values)",
            "formula: Runtime of ASSAY_F: LIKWID shows 2 s, its counters say 1 s (1 of 1 values)",
        }, causes.texts { findings = findings })
    end)
end)
