-- presets.lua - lua5.4 docs/presets.lua RECORD...: which presets of PAPI (docs/papi.md) or metrics of perf (perf-metrics.md) are right.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Run it in the project's folder after `make`, on records of virtual nodes, all of --interface papi or all of perf-metrics:
--     build/assay validate control_flow latency_bound avx_flops bandwidth_saturation instruction_overhead alu_saturation \
--         --placement S0:1 --quick --all --interface papi --node virtual:ARCH-1x2 --out RECORD
-- The page names the codes of each record. The native events of a preset are papi_avail's answer on the record's node, formulas and
-- printed values are perf's.
package.path = "lua/?.lua;tests/?.lua;" .. package.path
local json = require "json"
local lists = require "input.lists"
local perf_expression = require "input.perf_expression"
local perf_list = require "input.perf_list"

local CODES_MOST = 4 -- named in a cell

local function read(file)
    local input <close> = assert(io.open(file))
    return input:read "a"
end

-- What a command says on the node.
local function ask(node, command)
    local answer <close> = io.popen(("build/assay vnode --node %s -- %s"):format(node, command))
    return answer:read "a"
end

-- "`A` + `B`", PAPI's formula in words of its native events: N0|N1|-| is their difference.
local function native_events(node, preset)
    local answer, names = ask(node, "papi_avail -e " .. preset), {}
    for name in answer:gmatch "Native Code%[%d+%]: %S+ |(.-)|" do
        names[#names + 1] = ("`%s`"):format(name)
    end
    assert(#names > 0, ("papi_avail -e %s names no native event on %s"):format(preset, node))
    local kind, postfix = answer:match "Derived Type:%s+|(.-)|.-Postfix Processing String:%s+|([^\n]-)|*\n"
    local between = kind == "DERIVED_ADD" and " + " or kind == "DERIVED_SUB" and " - " or ", "
    return table.concat(names, between) .. (postfix ~= "" and (" (`%s`)"):format(postfix:gsub("|", " ")) or "")
end

-- What `perf stat -M METRIC true` says: { counts = { [event] = }, value = printed |nil, unit =, why = it has no value |nil }.
local function stat(node, metric)
    local answer = ask(node, ("perf stat -a -x, -M %s true 2>&1"):format(metric))
    local lacks = answer:match "The (%S+) event is not supported" or answer:match "<not supported>,[^,]*,([^,\n]+),"
    local found = { counts = {}, why = answer:match "Cannot find PMU `[%w_]+'" or answer:match "unknown term '[%w_]+'"
        or lacks and ("the node lacks `%s`"):format(lacks) or answer:match "Error:%s+([^\n]*)" }
    for line in answer:gmatch "[^\n]+" do
        local count, event, value, unit = line:match "^([%d.]+),[^,]*,(.-),%d+,[%d.]+,([%d.]*),(.*)$"
        if count then
            found.counts[event:gsub(":u$", "")] = tonumber(count)
            found.value, found.unit = found.value or tonumber(value), found.unit or value ~= "" and unit:match "^(.-)%s*[%w_]+$"
        end
    end
    return found
end

-- The metric by its expression and perf's counts; nil if the expression has conditions, or options of events.
local function value_of(known, expression, counts)
    local names, plain = perf_expression.names_of((expression:gsub("d_ratio(%b())", function(pair) return (pair:gsub(",", "/")) end)))
    local text = plain:gsub("V(%d+)", function(index)
        local name = names[tonumber(index)]
        local inner = counts[name] or known.metrics[name] and value_of(known, known.metrics[name], counts)
        return name == "duration_time" and counts[name] and counts[name] / 1e9 or inner or "nil"
    end)
    local evaluate = not text:find "nil" and load("return " .. text)
    return evaluate and evaluate()
end

local SCALES = { 1, 100, 64 / (1 << 20) } -- of units: per_instr, %, MiB

-- "0.0 per_instr (0.0049)": what perf prints for `true`, and the value of its expression if the print has fewer than two digits of it.
local function printed(known, node, metric)
    local found = stat(node, metric)
    if found.why or not found.value then
        return found.why or "nothing"
    end
    local value = value_of(known, known.metrics[metric], found.counts)
    local text = ("%s %s"):format(found.value, found.unit or ""):gsub("%s+$", "")
    local scale = value and lists.find(SCALES, function(factor) return math.abs(value * factor - found.value) <= 0.05 + 1e-9 end)
    assert(not value or scale, ("perf prints %s for %s on %s, and its expression is %s"):format(text, metric, node, value))
    return value and math.abs(value * scale - found.value) > 0.05 * value * scale and ("%s (%.3g)"):format(text, value * scale) or text
end

-- Did a code of the metric run, and could its count be wrong?
local function is_judged(row)
    return row.verdict ~= "skipped" and row.verdict ~= "untested" and row.verdict ~= "unresolved"
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

local function row_of(record, name, shows, formula)
    local counted = lists.filter(record.metrics, function(row) return row.metric == name and is_judged(row) end)
    if #counted == 0 then
        local skipped = lists.find(record.metrics, function(row)
            return row.verdict == "skipped" and (row.metric == name or row.reason:find("%f[%w_]" .. name .. "%f[^%w_]"))
        end)
        return { name, shows, "-", skipped and "skipped" or "not measured", "-",
            skipped and (skipped.reason:match "PAPI: [^;,(]*%f[;,(%z ]" or skipped.reason) or "" }
    end
    local right, span, where = judged(counted)
    return { name, shows, formula(name), right, span, where }
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

-- Names of a file's lines NAME = QUANTITY .., with what they show.
local function lines_of(file)
    return read(file):gmatch "%f[^\n%z](%w[%w_]*) = ([^\n]-)%s*%f[\n]"
end

local function print_table(record, heads, rows)
    print(("\n## %s\n\nCodes: %s.\n"):format(record.node.arch, codes_of(record)))
    print(("| %s |"):format(table.concat(heads, " | ")))
    print(("|%s"):format(("---|"):rep(#heads)))
    for _, row in ipairs(rows) do
        print(("| %s |"):format(table.concat(row, " | ")))
    end
end

local function print_presets(record)
    local rows = {}
    for preset, shows in lines_of "groups/papi.presets" do
        rows[#rows + 1] = row_of(record, preset, shows, function() return native_events(record.node.name, preset) end)
    end
    print_table(record, { "preset", "shows", "native events", "rows right", "error in %", "where it is wrong" }, rows)
end

-- Metrics that no quantity of a pattern fits, by what perf says on the node. Those of pipeline slots, tma_*, are not asked for.
local function print_others(known, node, seen)
    local classes = {}
    for metric in pairs(known.metrics) do
        if not seen[metric] then
            local found = metric:find "^tma_" and {} or stat(node, metric)
            local why = (found.why or "counted, but no pattern has a model of it"):gsub("^the node lacks .*", "the node lacks an event")
            lists.push(classes, metric:find "^tma_" and "top-down analysis: the node has no pipeline slots" or why, metric)
        end
    end
    print "\nMetrics that are not judged:\n"
    for _, class in ipairs(lists.sorted(classes)) do
        table.sort(classes[class])
        local text = table.concat(classes[class], "`, `")
        print(("- %s (%d)%s"):format(class, #classes[class], class:find "^top" and "" or (": `%s`"):format(text)))
    end
end

local function print_metrics(record)
    local node, rows, seen = record.node.name, {}, {}
    local known = perf_list.read(ask(node, "perf list --details"))
    for metric, shows in lines_of "groups/perf.metrics" do
        if known.metrics[metric] then
            seen[metric] = true
            local row = row_of(record, metric, shows:gsub(" by .*", ""), function() return "" end)
            row[3] = ("`%s`"):format(known.metrics[metric]:gsub("\\", ""):gsub("|", " "))
            row[7] = printed(known, node, metric)
            rows[#rows + 1] = row
        end
    end
    print_table(record, { "metric", "shows", "perf's expression", "rows right", "error in %", "where it is wrong, or why it is not judged",
        "`perf stat -M` of `true` prints" }, rows)
    print_others(known, node, seen)
end

local PAPI = [[
# Which presets of PAPI are right

For users of PAPI: what its presets count on virtual nodes, against the count that the code must cause.

A virtual node counts each native event as the vendor documents it. A wrong preset is therefore wrong by the events that PAPI
chose for it. Real counters may have further errors; `assay validate --interface papi` shows them on a machine
([perf.md](perf.md#validate-without-likwids-daemon)). `rows right` counts codes and sizes whose error is within the tolerance;
a preset is `not measured` if none of the codes shows its quantity. Presets and quantities are in `groups/papi.presets`.
`docs/presets.lua` made this page; its head has the command.]]

local METRICS = [[
# Which metrics of perf are right

For users of `perf stat -M`: what Linux' metrics show on virtual nodes, against what the code must cause.

A virtual node counts each event as the vendor documents it. A wrong metric is therefore wrong by its expression, or by the events in it.
Real counters may have further errors; `assay validate --interface perf-metrics` shows them on a machine
([perf.md](perf.md#validate-without-likwids-daemon)). `rows right` counts codes and sizes whose error is within the tolerance; a metric
is `not measured` if none of the codes shows its quantity. The last column is what perf itself prints; in parentheses is the value of its
expression over the counts that perf prints with it, if the printed digits differ from it by more than 5 %. Metrics and quantities are in
`groups/perf.metrics`. `docs/presets.lua` made this page with perf 6.1; its head has the command.]]

local records = lists.map(arg, function(file) return json.decode(read(file)) end)
local is_papi = records[1].node.interface == "papi"
print(is_papi and PAPI or METRICS)
for _, record in ipairs(records) do
    (is_papi and print_presets or print_metrics)(record)
end
