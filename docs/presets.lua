-- presets.lua - lua5.4 docs/presets.lua RECORD... >docs/papi.md: which presets of PAPI are right, by records of --interface papi.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Run it in the project's folder after `make`, on records of virtual nodes:
--     build/assay validate control_flow latency_bound avx_flops bandwidth_saturation instruction_overhead \
--         --placement S0:1 --quick --interface papi --node virtual:ARCH-1x2 --out RECORD
-- The native events behind a preset are papi_avail's answer on the record's node.
package.path = "lua/?.lua;tests/?.lua;" .. package.path
local json = require "json"
local lists = require "input.lists"

local CODES_MOST = 4 -- named in a cell

local function read(file)
    local input <close> = assert(io.open(file))
    return input:read "a"
end

-- { text, .. } of a command's lines that the pattern matches.
local function answer(command, pattern)
    local found = {}
    for line in io.popen(command):lines() do
        found[#found + 1] = line:match(pattern)
    end
    return found
end

-- "`A` + `B`", PAPI's formula in words of its native events: N0|N1|-| is their difference.
local function native_events(node, preset)
    local command = ("build/assay vnode --node %s -- papi_avail -e %s 2>/dev/null"):format(node, preset)
    local names = lists.map(answer(command, "Native Code%[%d+%]: %S+ |(.-)|"), function(name) return ("`%s`"):format(name) end)
    local postfix = answer(command, "^Postfix Processing String:%s+|(.-)|*$")[1]
    local kind = answer(command, "^Derived Type:%s+|(.-)|")[1] or ""
    local between = kind == "DERIVED_ADD" and " + " or kind == "DERIVED_SUB" and " - " or ", "
    return table.concat(names, between) .. (postfix and postfix ~= "" and (" (`%s`)"):format(postfix:gsub("|", " ")) or "")
end

local function is_wrong(row)
    return row.verdict ~= "validated" and row.verdict ~= "untested" and row.verdict ~= "skipped"
end

-- "3 of 5" judged rows, "-0.1 .. +0.2", and the codes with errors.
local function judged(rows)
    local counted = lists.filter(rows, function(row) return row.verdict ~= "skipped" and row.verdict ~= "untested" end)
    local errors = lists.collect(counted, function(row) return row.error_pct and row.error_pct.avg end)
    local wrong = lists.filter(counted, is_wrong)
    local named = lists.map(wrong, function(row)
        return ("%s%s%s"):format(row.code or "all", row.level and " in " .. row.level or "",
            row.error_pct and (" %+.3g %%"):format(row.error_pct.avg) or (": %s"):format(row.reason or row.verdict))
    end)
    local more = #named - CODES_MOST
    local where = table.concat(named, ", ", 1, math.min(#named, CODES_MOST)) .. (more > 0 and (", and %d more"):format(more) or "")
    table.sort(errors)
    local span = #errors > 0 and ("%+.3g .. %+.3g"):format(errors[1], errors[#errors]) or "-"
    return ("%d of %d"):format(#counted - #wrong, #counted), span, where
end

local function row_of(record, preset, shows)
    local rows = lists.filter(record.metrics, function(row) return row.metric == preset end)
    local skipped = lists.find(rows, function(row) return row.verdict == "skipped" end)
    if #rows == 0 or skipped and lists.all(rows, function(row) return row.verdict == "skipped" or row.verdict == "untested" end) then
        local why = skipped and skipped.reason:match "PAPI: [^;,]*" or "no code was measured"
        return { preset, shows, "-", "skipped", "-", why }
    end
    local right, span, where = judged(rows)
    return { preset, shows, native_events(record.node.name, preset), right, span, where }
end

print [[
# Which presets of PAPI are right

For users of PAPI: what its presets count on virtual nodes, against the count that the code must cause.

A virtual node counts each native event as the vendor documents it. A wrong preset is therefore wrong by the events that PAPI
chose for it. Real counters may have further errors; `assay validate --interface papi` shows them on a machine
([perf.md](perf.md#validate-without-likwids-daemon)). `rows right` counts codes and sizes whose error is within the tolerance. Made by
`docs/presets.lua`, whose head has the command; presets and quantities are in `groups/papi.presets`.]]
for _, file in ipairs(arg) do
    local record = json.decode(read(file))
    print(("\n## %s\n\n| preset | shows | native events | rows right | error in %% | where it is wrong |\n|---|---|---|---|---|---|")
        :format(record.node.arch))
    for line in read("groups/papi.presets"):gmatch "[^\n]+" do
        local preset, shows = line:match "^(PAPI_%S+) = (.-)%s*$"
        if preset then
            print(("| %s |"):format(table.concat(row_of(record, preset, shows), " | ")))
        end
    end
end
