-- run.lua - does `assay events` identify the virtual node's events from counts alone, and does it name injected faults?
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--     lua5.4 tests/events/run.lua [--node NODE] [--faults N] [--events FILE]
--
-- from the project's folder; BUILD as for make. First all events on a clean node, without groups/ARCH/pmu.concepts, so that only
-- counts can identify them; the result must agree with the node's own table (truth.lua). Then, with pmu.concepts, faults in the events that
-- were found exact, N at a time (20): each fault must be named, and no other event. --events: uses the findings in FILE, from an earlier
-- run without pmu.concepts.
-- Exit status 1 if an event or a fault is named wrongly, or an event without a fault is not found right.
package.path = "tests/lua/?.lua;lua/?.lua;" .. package.path
local campaign = dofile "tests/campaign.lua"
local concepts = require "input.concepts"
local fixture = require "fixture"
local nodes = dofile "tests/detection/nodes.lua"
local truth = dofile "tests/events/truth.lua"
local BUILD, must = campaign.BUILD, campaign.must
local KINDS = { node = "text", faults = "number", events = "text" }
local FACTOR, OFFSET, NEAR = 1.3, 40000, 0.01

local function same(one, two)
    for key, value in pairs(one) do
        if two[key] ~= value then
            return false
        end
    end
    for key in pairs(two) do
        if one[key] == nil then
            return false
        end
    end
    return true
end

local function terms_of(known, finding)
    local all = { finding.terms }
    for _, name in ipairs(finding.names) do
        all[#all + 1] = known[name].terms
    end
    return all
end

-- The terms that some event was found to count; the probes cause none of the others on this node.
local function seen_of(counted, seen)
    local terms = {}
    for name, weight in pairs(counted) do
        terms[name] = seen[name] and weight
    end
    return terms
end

-- On a node of one socket nothing comes from another socket's caches or memory, even if the name of a sum includes it.
local function seen_in(known, findings, sockets)
    local seen = {}
    for _, finding in ipairs(findings) do
        for _, terms in ipairs(finding.names and terms_of(known, finding) or {}) do
            for name in pairs(terms) do
                seen[name] = (sockets > 1 or not (name:find "another socket" or name:find "far memory")) or nil
            end
        end
    end
    return seen
end

-- Are all terms contained in `whole`?
local function is_within(terms, whole)
    for name in pairs(terms) do
        if not whole[name] then
            return false
        end
    end
    return true
end

-- For an event that counts a part of `whole`: "part"; "wrong" if it was found to count only things outside of `whole`.
local function assess_part(known, finding, whole)
    local said = finding.kind ~= "nothing" and finding.names and terms_of(known, finding) or {}
    for _, terms in ipairs(said) do
        if is_within(terms, whole) then
            return "part"
        end
    end
    return #said > 0 and "wrong" or "part"
end

-- "right", "nothing" if the probes cause none of it, or "wrong".
local function assess(known, finding, counted, seen)
    if finding.kind == "nothing" then
        return next(counted) and "nothing" or "right"
    end
    for _, terms in ipairs(terms_of(known, finding)) do
        if same(seen_of(terms, seen), seen_of(counted, seen)) then
            return "right"
        end
    end
    return "wrong"
end

-- Findings of all events from counts alone; prints those that are wrong.
local function name_all(options, scratch, known, list)
    local file = options.events
    if not file then
        local root = must "pwd"
        file = scratch .. "/all.json"
        local data = scratch .. "/data"
        must(("mkdir -p %s && ln -s %s/* %s/ && rm %s/groups && cp -rL %s/groups %s/"):format(data, root, data, data, BUILD, data))
        must(("rm -f %s/groups/*/pmu.concepts"):format(data))
        must(("ASSAY_DATA=%s/data %s/assay events --all --node %s --out %s"):format(scratch, BUILD, options.node, file))
    end
    local found = campaign.read_json(file)
    local counted, parts = truth.read(fixture.text(("groups/%s/pmu.events"):format(found.node.arch)), list)
    local seen = seen_in(known, found.events, nodes.find(options.node).node.sockets)
    local sums, good = { right = 0, nothing = 0, wrong = 0, absent = 0, part = 0, untold = 0 }, {}
    for _, finding in ipairs(found.events) do
        local own = finding.options == "" and counted[finding.event]
        local whole = parts[finding.event]
        local word = finding.class == "absent" and "absent" or own and assess(known, finding, own, seen)
            or whole and assess_part(known, finding, whole) or "untold"
        sums[word] = sums[word] + 1
        if word == "wrong" or word == "absent" and (own or whole) then
            print(("%s: %s; %s"):format(finding.event, finding.counts, finding.reason or finding.class))
            sums.wrong = sums.wrong + (word == "absent" and 1 or 0)
        elseif word == "right" and finding.kind ~= "nothing" then
            good[#good + 1] = finding
        end
    end
    local text = "%s: %d events named rightly, %d count what no probe makes, %d some of a concept, %d wrong; %d of which nothing is known "
        .. "beforehand, %d absent"
    print(text:format(found.node.name, sums.right, sums.nothing, sums.part, sums.wrong, sums.untold, sums.absent))
    return sums.wrong, good
end

-- The faults, each with the test of its finding: { line =, is = function(finding) }.
local function make_faults(chosen, known)
    local faults = {}
    for i, finding in ipairs(chosen) do
        local other = chosen[i % #chosen + 1]
        local kinds = {
            { ("scale %g"):format(FACTOR), function(found)
                return found.class == "multiplicative" and math.abs(found.factor / FACTOR - 1) < NEAR
            end },
            { "swap " .. other.event, function(found)
                return found.class == "other" and found.counts:find(other.counts, 1, true) ~= nil
            end },
            { "stuck 7", function(found) return found.class == "missing" end },
            { ("add %d"):format(OFFSET), function(found)
                return found.class == "bias" and math.abs(found.offset / OFFSET - 1) < 5 * NEAR
            end },
        }
        local kind = kinds[(i - 1) % #kinds + 1]
        if same(known[other.names[1]].terms, known[finding.names[1]].terms) then
            kind = kinds[1]
        end
        faults[finding.event] = { line = finding.event .. " " .. kind[1], is = kind[2] }
    end
    return faults
end

-- Only single concepts: for a sum, `names` is empty.
local function inject(options, scratch, known, good)
    local single, names = {}, {}
    for _, finding in ipairs(good) do
        if #finding.names > 0 and not finding.counters:find " " then
            single[#single + 1] = finding
            names[#names + 1] = finding.event
        end
    end
    local faults, file, missed = make_faults(campaign.spread(single, options.faults), known), assert(io.open(scratch .. "/faults", "w")), 0
    for _, fault in pairs(faults) do
        file:write(fault.line, "\n")
    end
    file:close()
    must(("%s/assay events %s --node %s --fault %s/faults --out %s/faulty.json"):format(BUILD, table.concat(names, " "), options.node,
        scratch, scratch))
    for _, finding in ipairs(campaign.read_json(scratch .. "/faulty.json").events) do
        local fault = faults[finding.event]
        local is_right = fault and fault.is(finding) or not fault and (finding.class == "exact" or not finding.said)
        if not is_right then
            missed = missed + 1
            print(("%s: %s, %s"):format(fault and fault.line or finding.event .. ", right", finding.class, finding.counts))
        end
    end
    print(("%d events, %d of them wrong on purpose: %d not named"):format(#names, options.faults, missed))
    return missed
end

local function main(options, scratch)
    local list, known = concepts.read { text = fixture.text "probes/concepts.txt", file = "probes/concepts.txt" }, {}
    for _, one in ipairs(list) do
        known[one.name] = one
    end
    local wrong, good = name_all(options, scratch, known, list)
    local missed = inject(options, scratch, known, good)
    return wrong + missed == 0
end

campaign.main(main, KINDS, { node = "virtual", faults = 20 })
