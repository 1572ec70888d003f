-- unjudged_spec.lua - metrics without a verdict are named with the reason wherever a record or a catalogue is shown.
-- SPDX-License-Identifier: GPL-3.0-or-later
local catalogue_text = require "exchange.catalogue.text"
local page = require "report.page.page"
local records = require "records"
local report = require "report.text.report"
local tables = require "report.wiki.pages"
local unjudged = require "report.unjudged"

describe("metrics without a verdict", function()
    local SAME, NONE = "judged in G1: the same formula over the same events", "no model | <b>"
    local list = {
        { group = "G2", metric = "CPI", with = "G1", reason = SAME },
        { group = "G2", metric = "Power & heat", reason = NONE },
        { group = "G3", metric = "CPI", with = "G1", reason = SAME },
        { group = "G3", metric = "Power & heat", reason = NONE },
        { group = "G4", metric = "CPI", reason = NONE },
    }
    local record = records.record({ records.metric() }, { unjudged = list })

    local function has(text, part)
        assert.is_truthy(text:find(part, 1, true), part)
    end

    it("are combined by metric and reason, those without any judgement first; the same record twice changes nothing", function()
        local wanted = {
            { metric = "Power & heat", groups = { "G2", "G3" }, reason = NONE },
            { metric = "CPI", groups = { "G4" }, reason = NONE },
            { metric = "CPI", groups = { "G2", "G3" }, reason = SAME, with = "G1" },
        }
        assert.same(wanted, unjudged.fold { record })
        assert.same(wanted, unjudged.fold { record, record })
        assert.same({}, unjudged.fold { records.record {} })
    end)

    it("are listed in the whole table, and counted in the short one", function()
        local all = report.render({ record = record, all = true }).text
        has(all, "no verdict of its own: Power & heat of G2, G3: no model | <b>\n")
        has(all, "no verdict of its own: CPI of G4: no model | <b>\n")
        has(all, "no verdict of its own: CPI of G2, G3: " .. SAME .. "\n")
        has(report.render({ record = record }).text, "3 metrics of the groups are not judged")
    end)

    it("are listed on the page, once and as text", function()
        local text = page.page({ record = record, style = "", program = "" }).text
        has(text, '<a href="#unjudged">')
        has(text, '<tr><th scope="row">Power &amp; heat</th><td>G2, G3</td><td>no model | &lt;b&gt;</td></tr>')
        has(text, '<tr><th scope="row">CPI</th><td>G2, G3</td><td>' .. SAME .. "</td></tr>")
        assert.equal(1, select(2, text:gsub("Power &amp; heat", "")))
        assert.is_nil(page.page({ record = records.record { records.metric() }, style = "", program = "" }).text:find("unjudged", 1, true))
    end)

    it("are listed on the architecture's wiki page", function()
        local text = tables.render({ records = { { file = "a.json", record = record } } }).pages[1].text
        has(text, "### Metrics without a verdict of their own\n")
        has(text, "| Power \\& heat | `G2`, `G3` | no model \\| \\<b\\> |\n")
    end)

    it("are listed in the catalogue's table, a line per reason", function()
        local group = { name = "G2", short = "s", metrics = {}, left_out = {}, blame = {},
            unjudged = { { name = "CPI", reason = SAME }, { name = "Power" }, { name = "Clock", reason = SAME } } }
        local text = catalogue_text.table({ catalogue = { kind = "virtual", verdicts = { "validated" },
            architectures = { { arch = "a", boxes = {}, evidence = {}, groups = { group }, left_out = {} } } } }).text
        has(text, "  no verdict of its own: CPI, Clock: " .. SAME .. "\n")
        has(text, "  no verdict of its own: Power: not judged\n")
    end)
end)
