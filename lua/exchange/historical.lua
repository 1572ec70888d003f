-- historical.lua - published figures of real processors as records of kind "historical", judged like measurements.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- historical.records{ text = the table, file = its name } -> array of records without the Assay that made them, one per node.
--
-- A table has one line per fact, its fields separated by tabs; '#' begins a comment:
--   source  REPOSITORY
--   caches  BYTES ..                     of L1, L2, .. of every node; of the last one at least
--   node    ARCH NAME CPU SOCKETS CORES THREADS PUBLISHED COMMIT PATH      CORES: of all sockets, THREADS: per core
--   kernel  NAME STREAMS BYTES FLOPS     STREAMS: r read, w written, rw both, n written past the caches; BYTES and FLOPS of an element,
--           as the plain run reports them
--   group   NAME METRIC UNIT BOUNDARY    '-' for a group that counts operations
--   figure  NODE GROUP KERNEL SIZE BYTES RUNS LEAST MEAN LARGEST LEAST MEAN LARGEST      rates: of plain runs, then of instrumented ones
--
-- The plain run gives the rate of elements, the kernel's streams the bytes of each element that cross the boundary (model/traffic.lua, in
-- the steady state, because every figure is of 50 passes or more). Their product is the expected rate. Its interval is the range of the
-- plain runs; what is judged is the mean of the instrumented runs. A metric of traffic is judged over all sizes. A metric of operations
-- is judged for each level that holds the data, because its expectation does not depend on the level.
local array = require "input.array"
local equations = require "numeric.equations"
local judge = require "judge.judge"
local lists = require "input.lists"
local stats = require "numeric.stats"
local traffic = require "model.traffic"
local vocabulary = require "judge.vocabulary"

local historical = {}

-- Plain and instrumented figures are of two runs. Each may be 1 % off: plain figures of one kernel and size differ by that much where a
-- page prints several (tests/lua/historical_spec.lua).
local TOLERANCE_PCT = 2
local PATTERN = "likwid-bench" -- the records' name for what ran
local PLACEMENT = "1 thread"

-- Cache policy of all processors since Nehalem that LIKWID's group L3 is about: every level fills a line before a store, writes it back
-- later, and loads from the next one (Intel's optimization manual, cache hierarchies).
local POLICY = { write_allocate = true, write_back = true, load_from = "next" }

local STREAMS = { r = { loads = true }, w = { stores = true }, rw = { loads = true, stores = true },
    n = { stores = true, nontemporal = true } }

local TIME = "^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%dZ$"

-- Fields of each kind of line; '#': a number.
local FIELDS = {
    source = { "repository" },
    node = { "arch", "name", "cpu", "#sockets", "#cores", "#smt", "started", "commit", "path" },
    kernel = { "name", "streams", "#bytes", "#flops" },
    group = { "name", "metric", "unit", "boundary" },
    figure = { "node", "group", "kernel", "size", "#bytes", "#runs", "#plain_min", "#plain", "#plain_max", "#least", "#measured",
        "#largest" },
}

local function number_of(word, name)
    local number = tonumber(word)
    return number and number >= 0 and number < math.huge and number or error(("'%s' is no number of %s"):format(word, name), 0)
end

local function streams_of(text)
    return lists.map(lists.words(text), function(word)
        return STREAMS[word] or error(("'%s' is no stream; one of r, w, rw, n"):format(word), 0)
    end)
end

local function is_file_name(word)
    return word:find "^[%w_][%w_.-]*$"
end

-- The entry of a line's words after the first; raises what is wrong.
local function read_line(kind, words)
    if kind == "caches" then
        return lists.map(words, function(word) return number_of(word, "bytes") end)
    end
    local fields, entry = FIELDS[kind] or error(("'%s' begins no line; see lua/exchange/historical.lua"):format(kind), 0), {}
    if #words ~= #fields then
        error(("%d fields, %s has %d"):format(#words, kind, #fields), 0)
    end
    for i, field in ipairs(fields) do
        local name = field:gsub("^#", "")
        entry[name] = name ~= field and number_of(words[i], name) or words[i]
    end
    entry.streams = entry.streams and streams_of(entry.streams)
    if kind == "node" and not (is_file_name(entry.arch) and is_file_name(entry.name) and entry.started:find(TIME)) then
        error("architecture and name must be file names, and the time like 2014-01-02T03:04:05Z", 0)
    end
    return entry
end

-- The table's entries by kind, and by name: { source =, caches =, node = { [NAME] = }, kernel =, group =, figures = array }.
local function read_table(argument)
    local found, number = { file = argument.file, node = {}, kernel = {}, group = {}, figures = {}, nodes = {} }, 0
    for line in (argument.text .. "\n"):gmatch "([^\n]*)\n" do
        number = number + 1
        local words = lists.words(line:match "^[^#].*" or "", "[^\t]+")
        local kind = table.remove(words, 1)
        local is_right, entry = pcall(kind and read_line or function() end, kind, words)
        if not is_right then
            error(("%s:%d: %s"):format(argument.file, number, entry), 0)
        elseif kind == "figure" then
            entry.line = number
            table.insert(found.figures, entry)
        elseif kind == "source" or kind == "caches" then
            found[kind] = entry
        elseif kind then
            found[kind][entry.name] = entry
            found.nodes[#found.nodes + 1] = kind == "node" and entry or nil
        end
    end
    return found
end

-- The level that holds `bytes`.
local function level_of(bytes, caches)
    for number, size in ipairs(caches) do
        if bytes <= size then
            return "L" .. number
        end
    end
    return "MEM"
end

-- Bytes across the group's boundary for each byte that the plain run reports.
local function bytes_per_byte(figure, group, kernel, caches, direction)
    local node = { name = figure.node, kind = "historical", caches = lists.map(caches, function(size) return { size_bytes = size } end),
        line_bytes = 64, prefetchers = "DCU_PREFETCHER off, IP_PREFETCHER off, HW_PREFETCHER off, CL_PREFETCHER off" }
    local machine = { arch = figure.node, levels = lists.map(caches, function() return POLICY end) }
    local point = { level = level_of(figure.bytes, caches), stream_bytes = figure.bytes / #kernel.streams, passes = 1, threads = 1,
        difference = true }
    local elements = point.stream_bytes / 8 -- kernels of traffic have elements of a double
    return traffic.traffic(kernel.streams, machine, node, point, group.boundary, direction).value_bytes / (elements * kernel.bytes)
end

local function sample_of(figure, known)
    local group, kernel = known.group[figure.group], known.kernel[figure.kernel]
    local is_traffic = group.boundary ~= "-"
    local share = is_traffic and bytes_per_byte(figure, group, kernel, known.caches, "total") or 1
    local low, middle, high = share * figure.plain_min, share * figure.plain, share * figure.plain_max
    if not (figure.plain > 0 and low <= middle and middle <= high and high < math.huge) then
        error("no expectation follows from the plain figures and the kernel", 0)
    end
    return { pattern = PATTERN, code = figure.kernel, level = not is_traffic and level_of(figure.bytes, known.caches) or nil,
        placement = PLACEMENT, point = figure.size, rep = 1, group = group.name, metric = group.metric, unit = group.unit,
        measured = figure.measured, expected = { min = low, value = middle, max = high }, work = figure.plain }
end

local function identity(sample) return vocabulary.identity(sample) end

local function metric_of(samples)
    local metric = judge.metric(samples, { tolerance_pct = TOLERANCE_PCT })
    for _, key in ipairs(vocabulary.IDENTITY) do
        metric[key] = samples[1][key]
    end
    metric.unit, metric.kind = samples[1].unit, samples[1].level and "count" or "bandwidth"
    return metric
end

-- The constants of load + evict that fit a group's figures best, weighted by their totals: { load =, evict =, worst_pct = }; nil if the
-- kernels do not tell the two directions apart.
local function parts_of(figures, known)
    local a, b, c, right = 0, 0, 0, { 0, 0 }
    local rows = lists.collect(figures, function(figure)
        local group, kernel = known.group[figure.group], known.kernel[figure.kernel]
        local load, evict = bytes_per_byte(figure, group, kernel, known.caches, "load"),
            bytes_per_byte(figure, group, kernel, known.caches, "evict")
        local total = load + evict
        return total > 0 and { load = load / total, evict = evict / total, shown = figure.measured / figure.plain / total }
    end)
    for _, row in ipairs(rows) do
        a, b, c = a + row.load ^ 2, b + row.load * row.evict, c + row.evict ^ 2
        right[1], right[2] = right[1] + row.load * row.shown, right[2] + row.evict * row.shown
    end
    local fit = equations.solve({ { a, b }, { b, c } }, right)
    return fit and { load = fit[1], evict = fit[2], worst_pct = stats.worst(lists.map(rows, function(row)
        return 100 * ((fit[1] * row.load + fit[2] * row.evict) / row.shown - 1)
    end)) }
end

-- Blame for a group of traffic: one direction is right, the other is not in the sum, and this explains every figure.
local function missing_term(figures, known, metrics)
    local group = known.group[figures[1].group]
    local fit = group.boundary ~= "-" and parts_of(figures, known)
    local function is(direction, value) return math.abs(fit[direction] - value) <= TOLERANCE_PCT / 100 end
    local lacks = fit and fit.worst_pct <= TOLERANCE_PCT
        and (is("load", 1) and is("evict", 0) and "evict" or is("load", 0) and is("evict", 1) and "load")
    local wrong = lists.count(metrics, function(metric) return metric.group == group.name and metric.class ~= "exact" end)
    if not lacks or wrong == 0 then
        return nil
    end
    local part = ("%s of %s lacks what is %s"):format(group.metric, group.name, lacks == "load" and "loaded" or "evicted")
    return {
        text = ("%s: it shows %.3f times the loaded and %.3f times the evicted bytes; %d metric%s"):format(part, fit.load, fit.evict, wrong,
            wrong == 1 and " follows" or "s follow"),
        metrics = wrong,
        groups = array { group.name },
        causes = array {
            array { { kind = "formula", what = "lacks", group = group.name, metric = group.metric, name = lacks, text = part } },
        },
    }
end

-- A node's record; nil without figures.
local function record_of(node, known)
    local figures = lists.filter(known.figures, function(figure) return figure.node == node.name end)
    local samples = lists.append(array(), figures, function(figure)
        local is_right, sample = pcall(sample_of, figure, known)
        return is_right and sample or error(("%s:%d: %s"):format(known.file, figure.line, sample), 0)
    end)
    local metrics = lists.append(array(), lists.group(samples, identity), metric_of)
    return #figures > 0 and {
        schema = 1,
        started = node.started,
        seconds = 0,
        node = { kind = "historical", name = node.name, arch = node.arch, cpu = node.cpu, sockets = node.sockets, cores = node.cores,
            smt = node.smt },
        source = { repository = known.source.repository, commit = node.commit, path = node.path },
        faults = array(),
        blame = lists.append(array(), lists.group(figures, "group"), function(own) return missing_term(own, known, metrics) end),
        metrics = metrics,
        samples = samples,
        failures = array(),
    } or nil
end

local function check(known)
    for _, figure in ipairs(known.figures) do
        for _, kind in ipairs { "node", "group", "kernel" } do
            if not known[kind][figure[kind]] then
                error(("%s:%d: no line describes the %s %s"):format(known.file, figure.line, kind, figure[kind]), 0)
            end
        end
    end
    if not known.source or not known.caches then
        error(("%s:1: no line 'source' or no line 'caches'; see lua/exchange/historical.lua"):format(known.file), 0)
    end
end

-- See the top of this file.
function historical.records(argument)
    local known = read_table(argument)
    check(known)
    return lists.append(array(), known.nodes, function(node) return record_of(node, known) end)
end

return historical
