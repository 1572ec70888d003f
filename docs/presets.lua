-- presets.lua - lua5.4 docs/presets.lua RECORD... >docs/papi.md: which presets of PAPI are right, by records of --interface papi.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Run it in the project's folder after `make`, on records of virtual nodes:
--     build/assay validate control_flow latency_bound avx_flops bandwidth_saturation instruction_overhead \
--         --placement S0:1 --quick --all --interface papi --node virtual:ARCH-1x2 --out RECORD
-- The page names the codes of each record. The native events of a preset are papi_avail's answer on the record's node.
package.path = "lua/?.lua;tests/?.lua;" .. package.path
local json = require "json"
local lists = require "input.lists"

local CODES_MOST = 4 -- named in a cell

local function read(file)
    local input <close> = assert(io.open(file))
    return input:read "a"
end

-- papi_avail's answer about a preset on the node.
local function ask(node, preset)
    local command <close> = io.popen(("build/assay vnode --node %s -- papi_avail -e %s"):format(node, preset))
    return command:read "a"
end

-- "`A` + `B`", PAPI's formula in words of its native events: N0|N1|-| is their difference.
local function native_events(node, preset)
    local answer, names = ask(node, preset), {}
    for name in answer:gmatch "Native Code%[%d+%]: %S+ |(.-)|" do
        names[#names + 1] = ("`%s`"):format(name)
    end
    assert(#names > 0, ("papi_avail -e %s names no native event on %s"):format(preset, node))
    local kind, postfix = answer:match "Derived Type:%s+|(.-)|.-Postfix Processing String:%s+|([^\n]-)|*\n"
    local between = kind == "DERIVED_ADD" and " + " or kind == "DERIVED_SUB" and " - " or ", "
    return table.concat(names, between) .. (postfix ~= "" and (" (`%s`)"):format(postfix:gsub("|", " ")) or "")
end

-- Did a code of the metric run and give a verdict?
local function is_judged(row)
    return row.verdict ~= "skipped" and row.verdict ~= "untested"
end

-- "3 of 5" judged rows, "-0.1 .. +0.2", and the codes with errors.
local function judged(rows)
    local errors = lists.collect(rows, function(row) return row.error_pct and row.error_pct.avg end)
    local wrong = lists.filter(rows, function(row) return row.verdict ~= "validated" end)
    local named = lists.map(wrong, function(row)
        return ("%s%s%s"):format(row.code or "all", row.level and " in " .. row.level or "",
            row.error_pct and (" %+.3g %%"):format(row.error_pct.avg) or (": %s"):format(row.reason or row.verdict))
    end)
    local more = #named - CODES_MOST
    local where = table.concat(named, ", ", 1, math.min(#named, CODES_MOST)) .. (more > 0 and (", and %d more"):format(more) or "")
    table.sort(errors)
    local span = #errors > 0 and ("%+.3g .. %+.3g"):format(errors[1], errors[#errors]) or "-"
    return ("%d of %d"):format(#rows - #wrong, #rows), span, where
end

local function row_of(record, preset, shows)
    local rows = lists.filter(record.metrics, function(row) return row.metric == preset end)
    local counted = lists.filter(rows, is_judged)
    if #counted == 0 then
        local skipped = lists.find(rows, function(row) return row.verdict == "skipped" end)
        return { preset, shows, "-", skipped and "skipped" or "not measured", "-",
            skipped and (skipped.reason:match "PAPI: [^;,(]*%f[;,(%z ]" or skipped.reason) or "" }
    end
    local right, span, where = judged(counted)
    return { preset, shows, native_events(record.node.name, preset), right, span, where }
end

-- "ddot, load": the codes that a record has judged.
local function codes_of(record)
    local seen, codes = {}, {}
    for _, row in ipairs(lists.filter(record.metrics, is_judged)) do
        codes[#codes + 1] = row.code and not seen[row.code] and row.code or nil
        seen[row.code or ""] = true
    end
    table.sort(codes)
    return table.concat(codes, ", ")
end

print [[
# Which presets of PAPI are right

For users of PAPI: what its presets count on virtual nodes, against the count that the code must cause.

A virtual node counts each native event as the vendor documents it. A wrong preset is therefore wrong by the events that PAPI
chose for it. Real counters may have further errors; `assay validate --interface papi` shows them on a machine
([perf.md](perf.md#validate-without-likwids-daemon)). `rows right` counts codes and sizes whose error is within the tolerance;
a preset is `not measured` if none of the codes shows its quantity. Presets and quantities are in `groups/papi.presets`.
`docs/presets.lua` made this page; its head has the command.]]
for _, file in ipairs(arg) do
    local record = json.decode(read(file))
    print(("\n## %s\n\nCodes: %s.\n"):format(record.node.arch, codes_of(record)))
    print "| preset | shows | native events | rows right | error in % | where it is wrong |"
    print "|---|---|---|---|---|---|"
    for line in read("groups/papi.presets"):gmatch "[^\n]+" do
        local preset, shows = line:match "^(PAPI_%S+) = (.-)%s*$"
        if preset then
            print(("| %s |"):format(table.concat(row_of(record, preset, shows), " | ")))
        end
    end
end
