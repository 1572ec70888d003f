-- roofline_spec.lua - points and roofs of a record, by hand. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"
local roofline = require "report.page.roofline"

local function sample(code, point, unit, measured, more)
    local one = { pattern = "p", placement = "S0:1", code = code, group = "G", point = point, unit = unit, measured = measured,
        metric = unit == "MFLOP/s" and "rate" or "intensity" }
    return lists.merge(one, more)
end

local function metric(code, name, unit, verdict, more)
    local one = { pattern = "p", placement = "S0:1", code = code, group = "G", metric = name, unit = unit, verdict = verdict }
    return lists.merge(one, more)
end

local function make(kind)
    return {
        node = { kind = kind or "native" },
        metrics = {
            metric("a", "intensity", "FLOP/Byte", "validated"),
            metric("a", "rate", "MFLOP/s", "validated", { measured = { max = 1000 } }),
            metric("b", "intensity", "FLOP/Byte", "rejected"),
            metric("b", "rate", "MFLOP/s", "validated", { measured = { max = 900 } }),
            metric("c", "rate", "MFLOP/s", "rejected", { measured = { max = 5000 } }),
            metric("load", "read", "MBytes/s", "validated", { boundary = "L3-MEM", measured = { max = 800 } }),
            metric("load", "total", "MBytes/s", "validated", { boundary = "L2-L3", measured = { max = 9000 } }),
            metric("load", "total", "MBytes/s", "validated", { boundary = "L3-MEM", measured = { max = 1600 }, placement = "S0:2" }),
            metric("copy", "both", "MBytes/s", "rejected", { boundary = "L3-MEM", measured = { max = 7000 } }),
        },
        samples = {
            sample("a", "p1", "FLOP/Byte", 0.25, { expected = { min = 0.2, value = 0.25, max = 0.3 } }),
            sample("a", "p1", "FLOP/Byte", 0.75, { expected = { min = 0.2, value = 0.25, max = 0.3 } }),
            sample("a", "p1", "MFLOP/s", 400),
            sample("a", "p2", "FLOP/Byte", 4),
            sample("a", "p2", "MFLOP/s", 1000),
            sample("a", "p3", "FLOP/Byte", 4), -- no rate
            sample("a", "p4", "FLOP/Byte", 0), -- the group's event counts no FLOPs
            sample("a", "p4", "MFLOP/s", 0),
            sample("a", "p5", "FLOP/Byte", 2),
            sample("a", "p5", "MFLOP/s", nil),
            sample("b", "p1", "FLOP/Byte", 2),
            sample("b", "p1", "MFLOP/s", 900),
        },
    }
end

describe("a roofline", function()
    it("has a point for each code with both metrics validated, as means of their samples", function()
        assert.same({
            { code = "a", placement = "S0:1", intensity = 0.5, performance = 400, expected = { min = 0.2, value = 0.25, max = 0.3 } },
            { code = "a", placement = "S0:1", intensity = 4, performance = 1000 },
        }, roofline.points(make()))
    end)

    it("has the largest validated memory bandwidth and FLOP rate as roofs, and names their codes", function()
        local roofs = roofline.roofs(make())
        assert.same({ value = 800, code = "load", metric = "read" }, roofs.bandwidth)
        assert.same({ value = 1000, code = "a", metric = "rate" }, roofs.peak)
        local about = roofline.about(make())
        assert.truthy(about:find("Roof of memory: 800 MBytes/s, read of load.", 1, true))
        assert.truthy(about:find("Roof of the core: 1000 MFLOP/s, rate of a.", 1, true))
        assert.is_nil(about:find "Virtual")
        assert.truthy(roofline.about(make "virtual"):find "Virtual node: .* not from silicon")
    end)

    it("draws points and roof to scale, with the knee where the bandwidth reaches the peak", function()
        local svg = roofline.svg(make())
        local places = {}
        for x, y in svg:gmatch '<circle class="s1 average" cx="([%d.]+)" cy="([%d.]+)"' do
            places[#places + 1] = { tonumber(x), tonumber(y) }
        end
        assert.equal(2, #places)
        -- From 1/4 (below 0.5 / 2^0.2) to 8: 4 is four of five doublings to the right, 0.5 one.
        assert.near(76 + 530 / 5, places[1][1], 0.1)
        assert.near(76 + 4 * 530 / 5, places[2][1], 0.1)
        local corners = {}
        for x, y in svg:match('class="roof".-points="([^"]*)"'):gmatch "([%d.]+),([%d.]+)" do
            corners[#corners + 1] = { tonumber(x), tonumber(y) }
        end
        assert.equal(4, #corners)
        assert.near(76 + 530 / 5 * math.log(1.25 / 0.25, 2), corners[2][1], 0.1) -- 1000 / 800
        assert.same(corners[2], corners[3])
        assert.near(places[2][2], corners[4][2], 0.1) -- the peak is the second point's
        local bar, width = svg:match '<rect class="s1 range" x="([%d.]+)" y="[%d.]+" width="([%d.]+)"'
        assert.near(76 + 530 / 5 * math.log(0.2 / 0.25, 2), tonumber(bar), 0.1)
        assert.near(530 / 5 * math.log(0.3 / 0.2, 2), tonumber(width), 0.1)
    end)

    it("has no roof without values in the record, and does not exist without points", function()
        local record = make()
        record.metrics[6].verdict = "rejected"
        assert.is_nil(roofline.roofs(record).bandwidth)
        assert.truthy(roofline.about(record):find("Roof of memory: none", 1, true))
        assert.truthy(roofline.svg(record):find 'class="roof"') -- the peak alone
        record.samples = {}
        assert.is_nil(roofline.svg(record))
    end)

    it("escapes texts of a record", function()
        local record = make()
        for _, one in ipairs(record.metrics) do
            one.code = one.code == "a" and "<b>" or one.code
        end
        for _, one in ipairs(record.samples) do
            one.code = one.code == "a" and "<b>" or one.code
        end
        local svg = roofline.svg(record)
        assert.is_nil(svg:find("<b>", 1, true))
        assert.truthy(svg:find("&lt;b&gt;", 1, true))
    end)
end)
