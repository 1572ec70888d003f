-- overview_spec.lua - patterns on a node: quantities with their groups, placements, and reasons for what is missing.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local lines = require "report.text.patterns"
local lists = require "input.lists"
local overview = require "plan.overview"

local function describe_on(name, node)
    return overview.make { patterns = { fixture.pattern(name) }, machine = fixture.machine(), groups = fixture.groups(), node = node }[1]
end

local TWO_SOCKETS = setmetatable({ sockets = 2, numa_domains = 2, cpus_by_socket = { { 0 }, { 1 } }, cpus_by_domain = { { 0 }, { 1 } } },
    { __index = fixture.node() })

describe("overview", function()
    it("names the groups that show a quantity, or the reason why none does", function()
        local found = describe_on("ineffective_instructions", fixture.node())
        assert.same({ "ASSAY_AVX" }, found.groups)
        assert.equal("share of vectors DP", found.quantities[1].name)
        assert.same({}, found.quantities[1].groups)
        assert.equal("share of vectors DP: no event counts scalar or 128-bit floating-point arithmetic", found.quantities[1].reason)
        assert.same({ name = "AVX FLOPs DP", groups = { "ASSAY_AVX" } }, found.quantities[3])
        assert.is_nil(found.quantities[4]) -- the others are optional, and not shown here
        assert.same({ "S0:1" }, found.places)
        assert.is_true(found.runs)
    end)

    it("lists the boundaries of levels, each once", function()
        local found = describe_on("bandwidth_saturation", fixture.node())
        local names = lists.map(found.quantities, "name")
        assert.same({ "L1-L2", "L2-L3", "L3-MEM" }, names)
        assert.same({ "ASSAY_CBOX", "ASSAY_CORE_MEM", "ASSAY_HA", "ASSAY_MEM" }, found.quantities[3].groups)
        assert.same({ "S0:1", "S0:2" }, found.places)
    end)

    it("gives the reason why a node has no placement for a pattern", function()
        local found = describe_on("page_placement", fixture.node())
        assert.is_false(found.runs)
        assert.same({ "the node has one socket, two are needed" }, found.reasons)
        found = describe_on("page_placement", TWO_SOCKETS)
        assert.is_true(found.runs)
        assert.same({ "S0:1@S1:1" }, found.places)
        assert.same({}, found.reasons)
    end)

    it("is shown with names first and all else indented, in lines of 100 characters", function()
        local found = { describe_on("page_placement", fixture.node()), describe_on("load_imbalance", fixture.node()) }
        local text = lines.render({ patterns = found, node = "node n" }).text
        local first = {}
        for line in text:gmatch "[^\n]+" do
            assert.is_true(#line <= 100, line)
            first[#first + 1] = line:match "^%S+"
        end
        assert.same({ "page_placement", "load_imbalance" }, first)
        assert.is_truthy(text:find("\n  runs       not on node n\n  not        the node has one socket, two are needed\n", 1, true))
        assert.is_truthy(text:find("\n  runs       S0:2 of node n\n", 1, true))
    end)
end)
