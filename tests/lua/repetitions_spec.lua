-- repetitions_spec.lua - how much repetitions differ, next to counts that the code leaves open. SPDX-License-Identifier: GPL-3.0-or-later
local records = require "records"
local report = require "report.text.report"

local function metric(code, verdict, percent, name)
    return records.metric { pattern = "p", level = false, code = code, metric = name or "m", kind = "count", verdict = verdict,
        repetitions_pct = percent }
end

local function line_of(metrics)
    return report.render({ record = records.record(metrics) }).text:match "\n(repetitions: [^\n]*)\n"
end

describe("repetitions", function()
    it("of an unresolved code are shown next to those of the pattern's other codes", function()
        assert.equal("repetitions: p S0:2: up to 0.25 % apart in steady, 12.3 % in open", line_of { metric("steady", "validated", 0.25),
            metric("open", "unresolved", 12.34), metric("open", "unresolved", 3, "n"), metric("steady", "validated", 50, "elsewhere") })
    end)

    it("are also reported if they are equal, but not if there are none", function()
        assert.equal("repetitions: p S0:2: up to 0 % apart in open", line_of { metric("open", "unresolved", 0) })
        assert.is_nil(line_of { metric("open", "unresolved") })
        assert.is_nil(line_of { metric("steady", "validated", 3), metric("off", "rejected", 30) })
    end)
end)
