-- caches_spec.lua - expected counts of the probes of data and instruction caches, by hand: blocks, chains of pointers, code without a loop.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local concepts = require "input.concepts"
local loaded = require "input.loaded"
local probe = require "input.probe"

local basic = {}
for _, one in ipairs(concepts.read { text = fixture.text "probes/concepts.txt", file = "probes/concepts.txt" }) do
    basic[one.name] = one.terms[one.name]
end

local function read(name)
    local file = ("probes/%s.lua"):format(name)
    probe.read { text = fixture.text(file), file = file }
    return loaded.find({ name = name }, "probes")
end

local function part(instructions, loads, conditional, calls, returns)
    return { instructions = instructions, loads = loads, stores = 0, avx_loads = 0, avx_stores = 0, avx_calc = 0, divides = 0,
        fp_scalar_sp = 0, fp_scalar_dp = 0, fp_128_sp = 0, fp_128_dp = 0, fp_256_sp = 0, fp_256_dp = 0,
        conditional = conditional, calls = calls, returns = returns, branches = conditional + calls + returns }
end

local WALK = { constant = part(1, 0, 0, 0, 1), pass = part(10, 1, 1, 0, 0) }
local CHASE = { constant = part(1, 0, 0, 0, 1), pass = part(3, 1, 1, 0, 0) }
local CALLS = { constant = part(1, 0, 0, 0, 1), pass = part(3, 0, 1, 1, 0) }

-- Expected counts of a region. `more`: keys of the node. has_victim_level: its last level receives what the level above evicts.
local function counts(of, name, point, times, parts, more)
    local node, machine = fixture.node(), fixture.machine()
    for key, value in pairs(more or {}) do
        node[key] = value
    end
    if node.has_victim_level then
        machine.levels[#machine.levels - 1].victims_to = machine.levels[#machine.levels].name
    end
    local found = of.counts { code = fixture.named(of.codes, name), point = point, times = times, parts = parts,
        called = { walk_loads = WALK }, node = node, machine = machine }
    for concept in pairs(found) do
        assert.equal(1, basic[concept], concept)
    end
    return found
end

local function curve(of, name)
    return fixture.named(of.curves, name)
end

describe("blocks", function()
    local blocks = read "blocks"

    local function missed(name, lines, later, more)
        local found = counts(blocks, name, { lines = lines, later = later }, 9, WALK, more)["loads from L2"]
        return found and found.min / 9
    end

    it("all miss in turn if there is one too many; if each round begins one later, only one misses", function()
        assert.equal(0, missed("blocks_in_turn", 8 * 64, 64)) -- 32 KiB of 8 ways
        assert.equal(576, missed("blocks_in_turn", 9 * 64, 64))
        assert.equal(64, missed("blocks_left", 9 * 64, 64))
        assert.equal(640, missed("blocks_left", 10 * 64, 64)) -- two are too many
        assert.equal(128, missed("blocks_left", 10 * 64, 128))
    end)

    it("have no expectation for a processor's unknown replacement, or for parts of blocks", function()
        assert.is_false(missed("blocks_in_turn", 9 * 64, 64, { kind = "native" }))
        assert.is_false(missed("blocks_in_turn", 9 * 64 + 1, 64))
        assert.is_false(missed("blocks_left", 9 * 64, 63))
    end)

    it("have curves from half of the cache's size to twice its size", function()
        local lines = curve(blocks, "blocks in turn").values { node = fixture.node() }
        assert.same({ 256, 320, 1024, 13 }, { lines[1], lines[2], lines[13], #lines })
    end)
end)

describe("chains of pointers", function()
    local chase = read "chase"

    local function found(name, units, unit, block)
        return counts(chase, name, { units = units, unit = unit, block = block }, 3, CHASE)
    end

    it("are served by the level that holds the buffer, if that is certain", function()
        local one = found("chase_by_chance", 2048, 64, 1 << 30) -- 128 KiB
        assert.same({ 0, 6144, 0 }, { one["loads from L1"].min, one["loads from L2"].min, one["loads from L3 alone"].min })
        assert.equal(6144, one["data reads in L2"].min)
        assert.equal(6144, found("chase_by_chance", 2048, 64, 1 << 30)["loads"])
        assert.is_false(found("chase_by_chance", 600, 64, 1 << 30)["loads from L1"]) -- 37.5 KiB
        assert.is_false(found("chase_in_order", 600, 128, 1 << 30)["loads from L1"]) -- of two lines: half of 75 KiB
        assert.is_false(found("chase_in_order", 2048, 128, 1 << 30)["loads from L2"]) -- 256 KiB, half of its lines
    end)

    it("cost one translation per page if the first TLB holds a block's pages", function()
        local small = found("chase_by_chance", 262144, 64, 16 * 64) -- 16 MiB: 4096 pages, of which the second TLB has 1024
        assert.equal(3 * 4096, small["page walks of loads"].min)
        assert.is_false(found("chase_by_chance", 262144, 64, 1 << 30)["page walks of loads"])
        assert.equal(3 * 4096, found("chase_in_order", 262144, 64, 1 << 30)["page walks of loads"].min)
        assert.equal(0, found("chase_by_chance", 512, 64, 1 << 30)["second-level TLB hits of loads"].min)
    end)

    it("have curves of 76 sizes each", function()
        local at, count = { node = fixture.node(), machine = fixture.machine() }, 0
        for _, one in ipairs(chase.curves) do
            local values = one.values(at)
            count = count + (#values == 76 and 1 or 0)
            for i = 2, #values do
                assert.is_true(values[i] > values[i - 1])
            end
        end
        assert.equal(6, count)
    end)
end)

describe("code without a loop", function()
    local inline = read "inline"

    local function found(name, count, flushed, more)
        return counts(inline, name, { count = count, flushed = flushed or 1 }, 2, CALLS, more)
    end

    it("is the given number of instructions, and one line per 16", function()
        local one = found("inline_plain", 24000) -- 93.75 KiB
        assert.equal(1 + 2 * (3 + 24000 + 1), one["instructions"])
        assert.equal(2 * 1501, one["instruction reads in L2"].min)
        assert.equal(0, found("inline_plain", 1000)["instruction reads in L2"].min)
        assert.equal(1 + 2, one["returns"])
        assert.is_false(found("inline_plain", 9000)["instruction reads in L2"]) -- 35 KiB
    end)

    it("uses two lines of a block if its branch is not taken, and one if it is taken", function()
        local all, one = found("inline_true", 1100), found("inline_false", 1100) -- 137.5 KiB
        assert.same({ 2 * 2201, 2 * 1101 }, { all["instruction reads in L2"].min, one["instruction reads in L2"].min })
        assert.equal(1 + 2 * (3 + 1100 * 33 + 1), all["instructions"])
        assert.equal(1 + 2 * (3 + 1100 * 2 + 1), one["instructions"])
        assert.same({ 1, 1 + 2200 }, { all["conditional branches taken"], one["conditional branches taken"] })
        assert.same({ 1 + 2200, 1 }, { all["conditional branches not taken"], one["conditional branches not taken"] })
    end)

    it("comes from memory if data fill an inclusive last level in between", function()
        local one = found("inline_true", 10, 200000)
        assert.equal(2 * 21, one["instruction reads from memory"].min)
        assert.equal(2 * 200000, one["loads from memory"].min)
        assert.is_false(one["page walks of instructions"])
        assert.same({ 400000, 400000 + 2 * 20 }, { one["loads"].min, one["loads"].max })
    end)

    it("stays in its first cache above a victim level, and otherwise comes from memory", function()
        local few, many = found("inline_true", 10, 200000, { has_victim_level = true }), found("inline_true", 1100, 200000,
            { has_victim_level = true })
        assert.equal(0, few["instruction reads from memory"].min)
        assert.equal(2 * 2201, many["instruction reads from memory"].min)
    end)

    it("has no expected count if its lines certainly fit but its bytes do not", function()
        assert.is_false(found("inline_false", 300)["instruction reads in L2"])
    end)

    it("costs one translation per page if the first TLB, or both, cannot hold all pages", function()
        assert.equal(2 * 586, found("inline_plain", 600000)["second-level TLB hits of instructions"].min)
        assert.equal(0, found("inline_plain", 600000)["page walks of instructions"].min)
        assert.equal(2 * 2149, found("inline_plain", 2200000)["page walks of instructions"].min)
    end)

    it("has curves from 100 to 1 000 000 instructions, and is flushed by data of twice all levels", function()
        local values = curve(inline, "in-line code").values {}
        assert.same({ 100, 1000000, 33 }, { values[1], values[33], #values })
        local fill = curve(inline, "blocks of code, all run, flushed").flushed { node = fixture.node(), machine = fixture.machine() }
        assert.is_true(fill >= 2 * 5242880 / 64)
    end)
end)
