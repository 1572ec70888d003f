-- formulas_spec.lua - the weights in the formulas of our groups follow from what the machine file says that they show.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A formula is linear in its counts: with one counter at 1 and the others at 0 it gives that one's weight. Weights follow from the line's
-- size, the unit and the number of lanes; which counters have one, from which boxes count the same event.
local data = require "input.bytes"
local fixture = require "fixture"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"
local pmu_lines = require "input.pmu_lines"

-- { [counter] = weight } of a metric; `time` is 1.
local function weights(group, name)
    local metric = assert(group_file.metric(group, name), ("%s has no metric '%s'"):format(group.name, name))
    local found = {}
    for _, event in ipairs(group.events) do
        local values = { time = 1 }
        for _, other in ipairs(group.events) do
            values[other.name] = other == event and 1 or 0
        end
        local weight = formula.evaluate(metric.formula, values) or 0
        found[event.name] = weight ~= 0 and weight * data.scale(metric.unit) or nil
    end
    return found
end

local function assert_same(wanted, found, what)
    for name, weight in pairs(wanted) do
        assert.near(weight, found[name] or 0, 1e-6 * math.abs(weight), what .. ", " .. name)
    end
    for name in pairs(found) do
        assert(wanted[name], ("%s: %s has a weight"):format(what, name))
    end
end

local function add(one, other)
    local sum = {}
    for _, part in ipairs { one, other } do
        for name, weight in pairs(part) do
            sum[name] = (sum[name] or 0) + weight
        end
    end
    return sum
end

local function events_of(group)
    return lists.index(group.events, "name")
end

-- All counters of the group that count an event that `found` has a weight of, as often as a line has bytes.
local function lines(group, found, line)
    local wanted, counted, events = {}, {}, events_of(group)
    for name in pairs(found) do
        counted[events[name].event .. ":" .. events[name].options] = true
    end
    for _, event in ipairs(group.events) do
        wanted[event.name] = counted[event.event .. ":" .. event.options] and line or nil
    end
    return wanted
end

local function box_of(counter)
    return tonumber(counter:match "^%a[%a%d]-(%d+)C%d+" or nil)
end

-- Totals in an event's formula in the node's table, text.
local function totals_of(arch)
    local totals = {}
    for _, event in ipairs(pmu_lines.read(fixture.text(("groups/%s/pmu.events"):format(arch))).events) do
        totals[event.name] = event.made
    end
    return totals
end

for _, path in ipairs(fixture.group_files "groups/*/machine.lua") do
    local arch = path:match "groups/(.-)/"
    describe("formulas of groups/" .. arch, function()
        local machine, groups = fixture.machine(arch), fixture.groups(arch)
        local line = 64
        local totals = machine.processor and totals_of(arch)
            or { INSTR_RETIRED_ANY = "CORE_INSTRUCTIONS", RETIRED_INSTRUCTIONS = "CORE_INSTRUCTIONS" }

        local function each(visit)
            for _, entry in ipairs(machine.traffic) do
                visit(entry, groups[entry.group])
            end
        end

        it("count every line of every box with its bytes, and each half of a total once", function()
            each(function(entry, group)
                for direction, name in pairs(entry.volume or {}) do
                    local found = weights(group, name)
                    assert(next(found), name)
                    assert_same(lines(group, found, line), found, name)
                    if entry.bandwidth then
                        assert_same(found, weights(group, entry.bandwidth[direction]), entry.bandwidth[direction])
                    end
                end
                if entry.volume and entry.volume.total then
                    local sum = add(weights(group, entry.volume.load), weights(group, entry.volume.evict))
                    assert_same(sum, weights(group, entry.volume.total), entry.volume.total)
                    for name, weight in pairs(sum) do
                        assert.near(line, weight, 1e-6, name) -- no counter is in both halves
                    end
                end
            end)
        end)

        it("use as many boxes as the entry says, each with its counter in the sum", function()
            each(function(entry, group)
                if not entry.direction then
                    return
                end
                local sum, count = weights(group, entry.metric), 0
                for name, weight in pairs(sum) do
                    assert.near(line, weight, 1e-6, name)
                    count = count + 1
                end
                assert(not entry.boxes or entry.boxes == count, ("%s: %d counters"):format(entry.metric, count))
                if entry.bandwidth then
                    assert_same(sum, weights(group, entry.bandwidth), entry.bandwidth)
                end
                if entry.metric_of_box then
                    assert_same(lines(group, sum, line), sum, entry.metric)
                    local boxes, of_box = {}, {}
                    for name in pairs(sum) do
                        of_box[box_of(name)] = (of_box[box_of(name)] or 0) + 1
                    end
                    for box, own_count in pairs(of_box) do
                        assert.equal(of_box[0], own_count, entry.metric)
                        local own = weights(group, entry.metric_of_box:format(box))
                        for name in pairs(own) do
                            assert(box_of(name) == box, entry.metric_of_box:format(box))
                        end
                        boxes = add(boxes, own)
                    end
                    assert_same(sum, boxes, entry.metric)
                end
            end)
        end)

        it("weigh a line with its bytes, and use the same weights for an amount and its rate", function()
            each(function(entry, group)
                if not entry.quantity or not entry.rate then
                    return
                end
                for _, other in ipairs(machine.traffic) do -- the same amount without time, where a group has it
                    local name = entry.quantity:gsub("^rate of ", "")
                    if other.quantity == name and not other.rate and other.group == entry.group and not other.times then
                        assert_same(weights(group, other.metric), weights(group, entry.metric), entry.metric)
                    end
                end
            end)
            each(function(entry, group)
                if entry.times then
                    local found = weights(group, entry.metric)
                    assert_same(lines(group, found, line), found, entry.metric)
                    if entry.quantity == "memory volume" then -- bytes already: of the channels that the group has counters for
                        local channels = 0
                        for _ in pairs(found) do
                            channels = channels + 1
                        end
                        assert.equal(channels / machine.processor.channels, entry.times)
                    else
                        assert.equal(line, entry.times)
                    end
                elseif entry.quantity == "memory read volume" then
                    for name, weight in pairs(weights(group, entry.metric)) do
                        assert.near(line, weight, 1e-6, name)
                    end
                end
            end)
        end)

        it("count one operation for each lane of a vector", function()
            each(function(entry, group)
                local events = events_of(group)
                local precision = entry.quantity and entry.quantity:match "FLOPs ([DS]P)$"
                local is_amount = precision and not entry.rate and not entry.quantity:find "share"
                for name, weight in pairs(is_amount and weights(group, entry.metric) or {}) do
                    local event = events[name].event
                    local bits = event:match "_(%d+)B_PACKED" or event:match "_PACK(%d+)$" or event:match "_SCALAR%f[_\0]" and 0
                        or totals[event] == "CORE_AVX_CALC" and 256
                    local counts_lanes = event:find "^RETIRED_.*FLOPS" or event:find "^FP_FLOPS_RETIRED"
                    local lanes = counts_lanes and 1 or bits and math.max(1, bits // (precision == "DP" and 64 or 32))
                    assert.near(assert(lanes, event), weight, 1e-9, entry.metric .. " " .. event)
                    local width = entry.quantity:match "^(%d+)%-bit" or entry.quantity:match "^scalar" and 0
                    assert(not width or tonumber(width) == tonumber(bits), entry.metric)
                end
            end)
        end)

        it("use the same counters for bandwidths as for volumes", function()
            local seen = 0
            for _, group in pairs(groups) do
                for _, metric in ipairs(group.metrics) do
                    local volume = metric.name:find " bandwidth$" and metric.name:gsub(" bandwidth$", " volume")
                    if volume and group_file.metric(group, volume) then
                        assert_same(weights(group, volume), weights(group, metric.name), group.name .. ": " .. metric.name)
                        seen = seen + 1
                    end
                end
            end
            assert.is_true(seen > 0)
        end)

        it("compute the share of vectors from operations by width, and a multiply-add as half a multiplication and an addition", function()
            for name, group in pairs(groups) do
                local all = group_file.metric(group, "FLOPs DP") and "DP" or group_file.metric(group, "FLOPs SP") and "SP"
                local share = all and group_file.metric(group, "Share of vectors " .. all)
                if share then
                    local of, values, vectors, sum = weights(group, "FLOPs " .. all), { time = 1 }, 0, 0
                    for i, event in ipairs(group.events) do
                        local operations = (of[event.name] or 0) * i
                        values[event.name] = i
                        sum = sum + operations
                        vectors = vectors + (event.event:find "_SCALAR%f[_\0]" and 0 or operations)
                    end
                    assert.near(100 * vectors / sum, formula.evaluate(share.formula, values), 1e-9, name)
                end
                if group_file.metric(group, "Multiply-add elements DP") then
                    local of, half = weights(group, "AVX FLOPs DP"), weights(group, "Multiply-add elements DP")
                    assert_same(of, add(half, half), name)
                end
            end
        end)

        it("give the CPI of 10 instructions in 30 cycles", function()
            local known = { CORE_INSTRUCTIONS = 10, CORE_CYCLES = 30 }
            if not machine.processor then
                return -- the virtual node's table says what events count
            end
            local hz = machine.processor.clock_hz
            local wanted = { CPI = 3, ["Runtime unhalted"] = 30 / hz, Clock = hz / 1e6, ["Runtime (RDTSC)"] = 7 }
            for name, group in pairs(groups) do
                local values, has = { time = 7, inverseClock = 1 / hz }, {}
                for _, event in ipairs(group.events) do
                    local total = totals[event.event]
                    values[event.name], has[total or ""] = known[total] or math.huge, true
                end
                for metric, value in pairs(wanted) do
                    local lacks = metric == "CPI" and not has.CORE_INSTRUCTIONS
                    local found = lacks and value or formula.evaluate(assert(group_file.metric(group, metric)).formula, values)
                    assert(found and math.abs(found / value - 1) < 1e-9, ("%s %s: %s"):format(name, metric, tostring(found)))
                end
            end
        end)

        it("divide metrics per instruction by the instructions, and by nothing else", function()
            for name, group in pairs(groups) do
                for _, metric in ipairs(group.metrics) do
                    local of = metric.name:match "^(.*) per instruction$"
                    if of then
                        local values = { time = 1 }
                        for place, event in ipairs(group.events) do
                            values[event.name] = totals[event.event] == "CORE_INSTRUCTIONS" and 10 or 3 * place
                        end
                        local amount = formula.evaluate(assert(group_file.metric(group, of)).formula, values)
                        assert.near(amount / 10, formula.evaluate(metric.formula, values), 1e-9, name .. " " .. metric.name)
                    end
                end
            end
        end)
    end)
end
