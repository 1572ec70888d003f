-- tables_spec.lua - wiki pages from small records.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local lists = require "input.lists"
local records = require "records"
local tables = require "report.wiki.pages"

describe("tables", function()
    local function render(list, catalogues)
        local entries = lists.map(list, function(record, i) return { file = ("%d.json"):format(i), record = record } end)
        local made, pages = tables.render { records = entries, catalogues = catalogues }, {}
        for _, page in ipairs(made.pages) do
            pages[page.name] = page.text
        end
        return pages, made.plots
    end

    -- Cells of the table rows that hold `text`.
    local function rows(page, text)
        local found = {}
        for line in page:gmatch "[^\n]+" do
            if line:sub(1, 1) == "|" and line:find(text, 1, true) then
                local cells = {}
                for cell in line:gmatch "| ([^|]-) %f[|]" do
                    cells[#cells + 1] = cell
                end
                found[#found + 1] = cells
            end
        end
        return found
    end

    it("there is a page per architecture and one per pattern, each begins with the marker", function()
        local pages, plots = render { records.record { records.metric(), records.metric { pattern = "other" } } }
        for _, name in ipairs { "haswellEP.md", "haswellEP-bandwidth_saturation.md", "haswellEP-other.md" } do
            assert.equal(require("report.wiki.marker").LINE, pages[name]:match "^[^\n]+")
        end
        assert.equal("haswellEP-bandwidth_saturation-virtual-haswellEP-1x2.svg", plots[1].name)
        assert.is_truthy(pages["haswellEP-bandwidth_saturation.md"]:find("(" .. plots[1].name .. ")", 1, true))
    end)

    it("codes are summarised: least, average by samples, largest, classes and verdicts", function()
        local page = render({
            records.record {
                records.metric { code = "a", n = 1, error_pct = { min = -1, avg = 0, max = 1 },
                    resolution = { factor_up = 1.005, factor_down = 0.98 } },
                records.metric { code = "b", n = 3, error_pct = { min = 0, avg = 4, max = 8 }, class = "random", verdict = "rejected" },
            },
        })["haswellEP.md"]
        local cells = rows(page, "iMC bandwidth")[1]
        assert.same({ "-1", "+3", "+8", "2", "exact 1, random 1", "validated 1, rejected 1" }, { table.unpack(cells, 6, 11) })
    end)

    it("threshold, margin and errata are in columns of the same row", function()
        local page = render({
            records.record {
                records.metric { errata = { "HSD1" }, threshold = { value = 5000, margin = 10, present_is = "above" } },
                records.metric { metric = "unclear", threshold = { present_is = "above" } },
            },
        })["haswellEP.md"]
        assert.same({ "above 5 GB/s (10 times apart)", "HSD1" }, { table.unpack(rows(page, "iMC bandwidth")[1], 12, 13) })
        assert.equal("none: the controls are not clearly apart", rows(page, "unclear")[1][12])
    end)

    it("silicon, virtual nodes and injected faults never share a section or a plot", function()
        local pages, plots = render {
            records.record { records.metric() },
            records.record({ records.metric() }, nil, { kind = "native", name = "hsw01" }),
            records.record({ records.metric() }, { faults = { "CAS_COUNT_RD scale 2" } }),
        }
        local page = pages["haswellEP.md"]
        local native = page:find("## Measured on silicon\n", 1, true)
        local virtual = page:find("## Simulated on virtual nodes\n", 1, true)
        local faulty = page:find("## Simulated on virtual nodes, with injected faults\n", 1, true)
        assert.is_true(native < virtual and virtual < faulty)
        assert.is_nil(page:sub(native, virtual - 1):find("haswellEP-1x2", 1, true))
        assert.is_nil(page:sub(virtual):find("hsw01", 1, true))
        assert.is_truthy(page:sub(virtual, faulty):find("not evidence about silicon", 1, true))
        assert.is_truthy(page:sub(faulty):find("haswellEP-1x2 with CAS_COUNT_RD scale 2", 1, true))
        assert.equal(3, #plots)
        assert.are_not.equal(plots[2].name, plots[3].name)
    end)

    it("names that give the same file name have separate plots", function()
        local _, plots = render {
            records.record({ records.metric() }, nil, { name = "a b" }),
            records.record({ records.metric() }, nil, { name = "a/b" }),
        }
        assert.equal("haswellEP-bandwidth_saturation-virtual-a_b.svg", plots[1].name)
        assert.equal("haswellEP-bandwidth_saturation-virtual-a_b.2.svg", plots[2].name)
    end)

    it("nodes are compared in one table, a metric's rows next to each other", function()
        local page = render({
            records.record { records.metric { metric = "first" }, records.metric { metric = "second" } },
            records.record({ records.metric { metric = "first" }, records.metric { metric = "second" } }, nil, { name = "haswellEP-2x1" }),
        })["haswellEP.md"]
        local found = {}
        for _, cells in ipairs(rows(page, "`ASSAY_MEM`")) do
            if #cells == 13 then
                found[#found + 1] = cells[2] .. " " .. cells[5]
            end
        end
        assert.same({ "first haswellEP-1x2", "first haswellEP-2x1", "second haswellEP-1x2", "second haswellEP-2x1" }, found)
    end)

    it("records of a node are merged: each metric from the newest record, whatever the order", function()
        local old = records.record({ records.metric { verdict = "rejected" }, records.metric { metric = "only there" } },
            { started = "2026-01-01T00:00:00Z" })
        local new = records.record({ records.metric() }, { started = "2026-02-01T00:00:00Z" })
        local one, two = render { old, new }, render { new, old }
        assert.same(one, two)
        assert.equal("validated 1", rows(one["haswellEP.md"], "iMC bandwidth")[1][11])
        assert.equal(1, #rows(one["haswellEP.md"], "`ASSAY_MEM` | only there"))
    end)

    it("desired and available events, and errata, come from the pattern, group and machine files", function()
        local catalogues = { haswellEP = { patterns = { fixture.pattern() }, machine = fixture.machine(), groups = fixture.groups() } }
        local pages = render({ records.record { records.metric() } }, catalogues)
        local cells = rows(pages["haswellEP.md"], "[Bandwidth saturation](haswellEP-bandwidth_saturation)")[1]
        assert.equal(fixture.pattern().desired, cells[2])
        assert.equal("`MBOX:CAS_COUNT_RD`, `MBOX:CAS_COUNT_WR`", cells[3])
        catalogues.haswellEP.patterns[1].desired = nil
        cells = rows(render({ records.record { records.metric() } }, catalogues)["haswellEP.md"], "(haswellEP-bandwidth_saturation)")[1]
        assert.equal("data volume between L3 and memory", cells[2])
        catalogues.haswellEP.patterns[1].desired = "lines | both ways"
        catalogues.haswellEP.machine.errata = {
            { id = "X1", events = { "CAS_COUNT_RD" }, about = "too low" },
            { id = "X2", events = {} },
        }
        local page = render({ records.record { records.metric() } }, catalogues)["haswellEP.md"]
        assert.is_truthy(page:find("| lines \\| both ways |", 1, true))
        assert.is_truthy(page:find("**X1**: too low", 1, true))
        assert.is_nil(page:find("X2", 1, true))
    end)

    it("events of quantities that another pattern judges are listed, and filters in the machine file's words", function()
        local known = { patterns = { fixture.pattern "load_imbalance" }, machine = fixture.machine(), groups = fixture.groups() }
        local metrics = {}
        for i, name in ipairs { "Reads of lines modified in this socket", "AVX operations" } do
            metrics[i] = records.metric { pattern = "load_imbalance", group = i == 1 and "ASSAY_SHARING" or "ASSAY_AVX", metric = name }
        end
        local page = render({ records.record(metrics) }, { haswellEP = known })["haswellEP.md"]
        local cells = rows(page, "(haswellEP-load_imbalance)")[1]
        assert.equal("`OFFCORE_RESPONSE_0:DEMAND_DATA_RD.LLC_HIT.HITM_OTHER_CORE`, `AVX_INSTS_CALC`, `ARITH_DIVIDER_UOPS`", cells[3])
        assert.equal("`ASSAY_SHARING`, `ASSAY_AVX`, `ASSAY_DIVIDER`", cells[4])
    end)

    it("an architecture without files in groups/ has pages, too", function()
        local pages = render { records.record({ records.metric() }, nil, { arch = "zen9" }) }
        assert.equal("-", rows(pages["zen9.md"], "(zen9-bandwidth_saturation)")[1][3])
    end)

    it("absent is a dash, a rounding error is 0", function()
        local absent = records.metric { code = "nothing", class = "missing", verdict = "missing", n = 0, reason = "no value: dash (2)" }
        absent.error_pct, absent.measured = nil, nil
        local page = render({
            records.record { absent, records.metric { code = "rounded", error_pct = { min = -2e-14, avg = 0, max = 0 } } },
        })["haswellEP-bandwidth_saturation.md"]
        local cells = rows(page, "`nothing`")[1]
        assert.same({ "0", "1.5 GB/s", "-", "-", "-", "-", "-", "missing", "missing", "no value: dash (2)" }, { table.unpack(cells, 4) })
        assert.equal("0 (0 to 0)", rows(page, "`rounded`")[1][2])
    end)

    it("what was not measured is named, with the reason", function()
        local skipped =
            { pattern = "bandwidth_saturation", level = "MEM", placement = "socket", verdict = "skipped", reason = "one core", n = 0 }
        local pages = render { records.record { records.metric(), skipped } }
        assert.is_truthy(pages["haswellEP-bandwidth_saturation.md"]:find(
            "- not measured on haswellEP-1x2: all codes all metrics MEM socket: one core", 1, true))
    end)

    it("correction constants are in the remark", function()
        local page = render({
            records.record {
                records.metric {
                    class = "multiplicative",
                    verdict = "correctable",
                    correction = { factor = 0.6, factor_ci = { 0.59, 0.61 }, offset = 0, error_pct = { min = -0.5, avg = 0, max = 0.5 } },
                },
            },
        })["haswellEP-bandwidth_saturation.md"]
        local cells = rows(page, "correctable")
        assert.equal("factor 0.6 (95 %: 0.59 to 0.61), corrected: -0.5 to +0.5 %", cells[#cells][13])
    end)

    it("imbalance has both threads, their ratio, the model's ratio, and the error of the ratio", function()
        local base =
            { pattern = "load_imbalance", code = "halved", point = "halved.S0.2.p1", given = { n = 4096 }, metric = "AVX operations" }
        local function sample(more)
            for key, value in pairs(base) do
                more[key] = more[key] or value
            end
            return records.sample(more)
        end
        local ratio = "AVX operations, thread 0 : 1"
        local samples = {
            sample { thread = 0, measured = 6292480, expected = 6292480, processed = 600 },
            sample { thread = 1, measured = 2098176, expected = 2098176, processed = 201 },
            sample { thread = 0, measured = 1, expected = 1, point = "halved.S0.2.p1.difference", regions = 0 },
            sample { thread = 0, metric = ratio, measured = 3, expected = { min = 2.9, value = 2.95, max = 2.97 } },
        }
        local metric = records.metric { pattern = "load_imbalance", code = "halved", metric = ratio, kind = "ratio", group = "G" }
        local page = render({ records.record({ metric }, { samples = samples }) })["haswellEP-load_imbalance.md"]
        -- samples are shown only if the record has their metric
        assert.is_nil(page:find("6292480", 1, true))
        local counts = records.metric { pattern = "load_imbalance", code = "halved", kind = "count", group = "G" }
        counts.metric = "AVX operations"
        for _, one in ipairs { metric, counts } do
            one.level = nil
        end
        page = render({ records.record({ metric, counts }, { samples = samples }) })["haswellEP-load_imbalance.md"]
        assert.is_truthy(page:find("**`halved`, n 4096** on haswellEP-1x2", 1, true))
        assert.same({ { "AVX operations", "6292480", "2098176", "3", "+0.5", "2.95 (2.9 to 2.97)", "+1.69" } },
            rows(page, "| AVX operations | 6"))
        assert.same({ { "Processed elements", "600", "201", "2.985", "0", "-", "-" } }, rows(page, "Processed elements"))
    end)

    it("sharing has a row per point, one socket next to two, ordered by lines", function()
        local samples, metrics = {}, {}
        for _, place in ipairs { { "S0:1@S1:1", "in another socket", 4 }, { "S0:2", "in this socket", 1 } } do
            local metric = "Loads of lines modified " .. place[2]
            for _, point in ipairs { 2, 1 } do
                local lines = 16 ^ point
                for thread, expected in pairs { [0] = 0, [place[3]] = 8 * lines } do
                    samples[#samples + 1] = records.sample {
                        placement = place[1],
                        point = "shared." .. place[1] .. ".p" .. point,
                        given = { lines = lines },
                        thread = thread,
                        metric = metric,
                        measured = expected * 1.5,
                        expected = expected,
                    }
                end
            end
            local entry = records.metric { pattern = "line_sharing", code = "shared", placement = place[1], metric = metric, group = "G" }
            entry.level, entry.kind = nil, "count"
            metrics[#metrics + 1] = entry
        end
        -- the difference of two regions has the same `given`, but is another amount: it is left out
        samples[#samples + 1] = records.sample { placement = "S0:2", point = "shared.S0:2.p1.difference", given = { lines = 16 },
            thread = 1, metric = "Loads of lines modified in this socket", measured = 7, expected = 7, regions = 0 }
        local page = render({ records.record(metrics, { samples = samples }) })["haswellEP-line_sharing.md"]
        local function row(lines)
            return { ("%d"):format(lines), ("%d"):format(8 * lines), ("%d"):format(12 * lines), "+50", ("%d"):format(12 * lines), "+50" }
        end
        assert.is_truthy(page:find("**Loads of lines modified: `shared`, thread 1** on haswellEP-1x2", 1, true))
        assert.is_nil(page:find("thread 0**", 1, true))
        assert.same({ row(16) }, rows(page, "| 16 |"))
        assert.same({ row(256) }, rows(page, "| 256 |"))
        assert.is_true(page:find("| 16 |", 1, true) < page:find("| 256 |", 1, true))
    end)

    it("a record without kind or name of its node is refused in one line with its file", function()
        assert.has_error(function()
            render { records.record({}, nil, { kind = "other" }) }
        end, "1.json: node.kind is other, not native, historical or virtual")
    end)
end)
