-- history_spec.lua - a node's records over time.
-- SPDX-License-Identifier: GPL-3.0-or-later
local history = require "report.text.history"
local records = require "records"

describe("history", function()
    local function entry(day, metric, node)
        local record = records.record({ records.metric(metric) }, { started = day .. "T00:00:00Z" }, node)
        return { file = ("results/haswellEP/%s/%s.json"):format(record.node.name, day), record = record }
    end

    local function lines(list)
        local found = {}
        for line in history.render({ records = list }).text:gmatch "[^\n]+" do
            found[#found + 1] = line:gsub("%s+", " ")
        end
        return found
    end

    it("orders records by date, whatever the order of the files, and compares neighbours", function()
        local found = lines {
            entry("2026-03-01", { class = "random", verdict = "rejected" }, { likwid = "5.3.0" }),
            entry "2026-01-01",
            entry("2026-02-01", { error_pct = { min = 0, avg = 1, max = 1.5 } }),
        }
        assert.same({
            "haswellEP/haswellEP-1x2 (virtual)",
            " date Assay LIKWID kernel microcode valid correct qualit unres untest reject miss skip worse better drifted",
            " 2026-01-01 0.1.0 5.2.2 - - 1 0 0 0 0 0 0 0 - - -",
            " 2026-02-01 0.1.0 5.2.2 - - 1 0 0 0 0 0 0 0 0 0 1",
            " 2026-03-01 0.1.0 5.3.0 - - 0 0 0 0 0 1 0 0 1 0 0",
            " since 2026-03-01: node state differs: LIKWID 5.2.2 -> 5.3.0; worse: assay diff "
                .. "results/haswellEP/haswellEP-1x2/2026-02-01.json results/haswellEP/haswellEP-1x2/2026-03-01.json",
        }, found)
    end)

    it("names kernel and microcode that changed", function()
        local found = lines {
            entry("2026-01-01", nil, { kernel = "6.1", microcode = "0x46" }),
            entry("2026-02-01", nil, { kernel = "6.12", microcode = "0x49" }),
        }
        assert.equal(" since 2026-02-01: kernel 6.1 -> 6.12; node state differs: microcode 0x46 -> 0x49", found[#found])
    end)

    it("shows each node separately", function()
        local found = lines { entry("2026-01-01", nil, { name = "b" }), entry("2026-01-01", nil, { name = "a", kind = "native" }) }
        assert.equal("haswellEP/a (native)", found[1])
        assert.equal("haswellEP/b (virtual)", found[4])
    end)

    it("refuses a record in another node's folder", function()
        local wrong = entry "2026-01-01"
        wrong.file = "results/haswellEP/elsewhere/2026-01-01.json"
        assert.has_error(function()
            history.render { records = { wrong } }
        end, "results/haswellEP/elsewhere/2026-01-01.json: is of haswellEP/haswellEP-1x2; keep records as ARCH/NODE/DATE.json")
    end)
end)
