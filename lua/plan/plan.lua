-- plan.lua - plans the runs of patterns on one node: processes (jobs), their points, regions, events and cost.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Pure functions: no files, no processes. The host calls the functions of doors/list.lua with ONE table and gets ONE
-- table back; both hold JSON values only (an absent value is nil). Bad input raises a one-line message.
--
-- plan.make{ patterns=, machine=, node=, kernels=, groups=, options= } -> a list with { jobs = {..}, skipped = {..} } for each pattern.
-- The door "read" (doors/list.lua) gives patterns, machine and groups.
--
-- node      { name=, kind="virtual"|"native", arch=, sockets=, cores_per_socket= (of the largest),
--             cores= (of all), smt= (hardware threads of a core),
--             line_bytes=, caches = { {level=1, size_bytes=, ways=, shared_by_cores=1}, ... by level, data only: size of one such
--             cache and the cores that share it }, numa_domains= (of the node), channels=, agents= (per socket; absent: unknown),
--             prefetchers= ("CL_PREFETCHER on, ..", by LIKWID's names; absent: unknown, or a virtual node without),
--             evades= true for a virtual node with write-allocate evasion,
--             has_pipeline= true for a virtual node with a model of the core's pipeline,
--             random_pages= true for a virtual node whose pages lie in random frames,
--             cpus_by_socket = { {0,1}, {2,3} }  one usable hardware thread per core, by core; cpus_by_domain: by last-level cache;
--             domains= last-level caches of the node, usable or not; siblings = { {0,4}, .. } usable hardware threads of each
--             core |nil; left_out = array of texts about unusable CPUs }
-- kernels   { [name] = { name=, elements_per_pass=, bytes_per_element=, streams = { {loads=, stores=, nontemporal=}, ..},
--             loads_per_pass=, stores_per_pass= (instructions of one loop pass), own_lines = { read=, written= } (lines per sweep that
--             belong to no stream: validate/kernel/object.h),
--             parts = { pass =, constant =, sweep =, once = : { instructions=, loads=, stores=, flops=, divides=, avx_calc=,
--             branches= .. } } } }   all counted in the disassembly; code.lua sums parts. { name=, refused= the reason } for a kernel
--             that cannot run or be counted here (vectors wider than the processor's). Functions of programs are entries
--             "PATTERN:FUNCTION" with only name and the parts of functions (points.lua)
-- groups    { [name] = group.parse result }: all groups that the machine's traffic table names
-- options   { quick=bool, jobs=n|nil (number of processes to aim for), level=name|nil (this level only), matrix=bool: only the controls'
--             points, each with the events that the signatures of all `patterns` need }
--
-- skipped   array of { pattern=, level=|nil, placement=|nil, code=|nil, quantity=|nil, reason= }: what this node cannot run or show
-- job       one process, i.e. one likwid-perfctr command per run and repetition
--   id          unique in the campaign and the same for the same input, [A-Za-z0-9_.:-]: "bandwidth_saturation.MEM.S0:2.1"
--   pattern     its name
--   level       "L1" | "L2" | "L3" | "MEM": where the data are; absent in patterns that bring their own models
--   program     name of the program of patterns/ that runs the points; absent: stream
--   placement   "S0:2": socket 0, two threads (LIKWID's affinity domain and count)
--   cpus        { 0, 1 }: one thread on each, in this order; for likwid-perfctr -C and for the driver
--   points      array of points, each measured as one region of this process, in this order:
--     region    unique in the campaign, [A-Za-z0-9_.]: "triad.MEM.S0.2.p1"; the Marker API's region and the sample's `point`
--     code      the pattern's code, kernel: the .ptt that shows it (may be equal)
--     elements  per stream and THREAD; a multiple of the kernel's elements_per_pass and of whole lines
--     streams   number of streams (arrays) of the kernel: each thread owns streams * elements * bytes_per_element
--     bytes     of one thread: streams * elements * bytes_per_element
--     passes    sweeps over all elements INSIDE the region; the driver makes one more before it (warm-up)
--     base      { region =, passes =, arguments = } of a region right before that does less of the same work (points.lua). The point
--               continues from it without a warm-up; their difference is judged, too (samples.lua)
--     arguments of a program, instead of kernel to passes: the point's words on its command line after the region
--     expected  in patterns with their own models: { [metric] = { [cpu as text] = {min=, value=, max=, work=|nil} } } in the
--               metric's unit; a metric that is not in it is not judged at this point
--     counted   { [metric] = direct count of the code }, for metrics of `expected` that have one
--     difference    with a base: like expected, for the difference
--     given     the pattern file's numbers of the point, { lines = 4, .. }; absent in patterns with levels
--     control   "present" | "absent": the point is one of the pattern's controls
--     accesses  cost: load and store instructions of all threads, warm-up and first touch included
--   bytes       the largest `bytes` of its points: memory that a thread must allocate
--   accesses    sum over points; jobs are sorted by it, and the most expensive one starts first
--   groups      names of the groups that it measures: { "ASSAY_MEM", "ASSAY_HA" }
--   quantities  what is judged: array of { group=, metric=, unit=, boundary="L3-MEM", direction="load"|"evict"|"total"|a part of
--               these, kind= (quantity.lua), scope="core"|"domain"|"socket", tolerance_pct=, errata={..},
--               boxes= sharing the traffic and seen= number of these in the metric (volumes of boxes only), code= (counts only), of= the
--               metric of a ratio, signature=true if it distinguishes present from absent, codes= that show it (absent:
--               all) }; quantity.lua
--   runs        the groups' events packed into as few runs as the counters allow (pack.lua); array of
--     name      "ASSAY_RUN_1": name of the LIKWID group file that the host writes into $HOME/.likwid/groups/ARCH/
--     text      that file's text
--     events    array of { counter=, event=, options= }
--     counters  { [group] = { [counter in the group's file] = counter in this run } }
--     own       { [name in the text] = { group =, metric = } }: metrics that LIKWID computes itself (own_values.lua)
--     shown     { [group] = { [metric] = true } } for groups that need more counters than there are and are split over runs by metrics
--
-- sample (samples.read): { pattern=, code=, level=, placement=, point=, rep=, thread= (cpu number), group=, metric=, unit=,
--   measured = number|nil, why = word|nil (why there is no number), expected = {min=, value=, max=}|nil, work= number }
--   `expected` may have `terms`, array of { name =, amount = }: causes by which hardware may lower or raise the value, and their amounts.
--   All in the metric's unit; `given` and `control` as in point, `signature` as in quantity. One per thread;
--   for quantities of a last-level domain or socket one per domain or socket, of its first thread.
--   `work` is the volume that the code touches at this boundary, in the metric's unit: the reference where 0 is expected.
--   `processed` (optional): elements of the thread's useful work in one pass, as the pattern file says.
--   `counted`, `simulated` (each optional): the direct count of the code and the virtual node's own truth, in the metric's unit.
--   `seconds` (rates only) is the region's time; constants are fitted to amounts, that is, value times seconds.
--   `regions` is csv_read()'s result (validate/likwid/csv.h): { REGION = { {cpu=, seconds=, calls=, counts=, absent=}, .. } }.
--
-- metric (judge.metrics): the record's entry, docs/record.schema.json, where each key that has no value is absent. Offsets of a rate's
--   correction or resolution are in the unit of its amount, because the error of the rate is offset / seconds.
local array = require "input.array"
local boxes = require "plan.boxes"
local controls = require "plan.controls"
local levels = require "model.levels"
local lists = require "input.lists"
local pack = require "plan.pack"
local placements = require "plan.placement"
local points_of = require "plan.points"
local quantity = require "plan.quantity"
local signature = require "plan.signature"
local sizes = require "plan.sizes"

local plan = {}

local JOBS, JOBS_QUICK = 8, 4 -- processes to aim for: enough to keep a few cores busy, few enough to keep start-up cost low
local JOB_LEAST = 4e7 -- accesses: one to two seconds of simulation; smaller jobs cost more in starts than they save

local BASE_PASSES = 1 -- the minimum; more would only take longer

local function count_accesses(kernel, elements, passes, threads)
    local per_pass = kernel.loads_per_pass + kernel.stores_per_pass
    local touch = kernel.stores_per_pass > 0 and kernel.stores_per_pass or kernel.loads_per_pass
    local loop_passes = elements / kernel.elements_per_pass
    return math.ceil(loop_passes * threads * (per_pass * (passes + 1) + touch * #kernel.streams))
end

local function check_kernel(kernel)
    for _, name in ipairs { "elements_per_pass", "bytes_per_element", "loads_per_pass", "stores_per_pass" } do
        if type(kernel[name]) ~= "number" then
            error(("kernel %s: '%s' is missing"):format(tostring(kernel.name), name), 0)
        end
    end
    if type(kernel.streams) ~= "table" or #kernel.streams == 0 then
        error(("kernel %s: it has no streams"):format(tostring(kernel.name)), 0)
    end
end

-- The points of one code at one level and placement; nil and the reason if no size fits.
local function make_points(context, level, placement, code, kernel)
    local count = context.quick and level.points_quick or level.points
    local threads = #placement.cpus
    local all, reason = sizes.choose(context.machine, context.node, kernel, level, threads, count, context.quick)
    if not all then
        return nil, reason
    end
    local points = {}
    for index, size in ipairs(all) do
        local region = ("%s.%s.%s.p%d"):format(code.name, level.name, placement.name:gsub(":", "."), index)
        points[index] = {
            region = region,
            base = { region = region .. ".base", passes = BASE_PASSES },
            code = code.name,
            kernel = code.kernel,
            elements = size.elements,
            streams = #kernel.streams,
            bytes = size.bytes,
            passes = size.passes,
            accesses = count_accesses(kernel, size.elements, size.passes + BASE_PASSES, threads),
        }
    end
    return points
end

-- With signatures, only points of controls are planned; with --quick, one per kind of traffic.
local function is_asked(context, level, placement, code)
    if not context.signatures then
        return true
    end
    local is_control = controls.which(context.pattern, { code = code.name, level = level.name, placement = placement.name })
    local kinds = context.quick and context.pattern.against
    return is_control and (not kinds or lists.contains(kinds, code.name))
end

local function codes_of(context, level, placement)
    return lists.filter(context.pattern.codes, function(code)
        return is_asked(context, level, placement, code) and (not level.codes or lists.contains(level.codes, code.name))
    end)
end

local function skip(context, level, placement, code, reason)
    context.skip { level = level.name, placement = placement, code = code, reason = reason }
end

-- All points of one level and placement, over its codes: a batch, which is then cut into jobs.
local function make_batch(context, level, placement)
    local batch = { level = level, placement = placement, points = {} }
    for _, code in ipairs(codes_of(context, level, placement)) do
        local kernel = context.kernels[code.kernel]
        local points, reason
        if kernel and kernel.refused then
            reason = ("kernel %s: %s"):format(kernel.name, kernel.refused)
        elseif kernel then
            check_kernel(kernel)
            points, reason = make_points(context, level, placement, code, kernel)
        end
        if not points then
            skip(context, level, placement.name, code.name, reason or ("there is no kernel " .. code.kernel))
        end
        lists.append(batch.points, points or {})
    end
    batch.accesses = lists.sum(batch.points, "accesses")
    return batch
end

local function skip_lacking(context, level, boundary)
    for _, lack in ipairs(quantity.lacking(context.machine, boundary, context.groups)) do
        skip(context, level, nil, nil, ("%s (%s): %s"):format(lack.name, lack.group, lack.reason))
    end
end

-- Adds quantities of `found` that a run measures to `kept`, and their groups to `names`; returns the number left out.
local function keep_shown(found, runs, kept, names)
    local shown = lists.filter(found, function(one)
        return lists.any(runs, function(run) return pack.shows(run, one.group, one.metric) end)
    end)
    lists.append(kept, shown)
    lists.distinct(shown, names, "group")
    return #found - #shown
end

local function groups_of(context, found)
    return lists.map(lists.distinct(found, {}, "group"), function(name) return context.groups[name] end)
end

-- Quantities of the level's own boundaries: those that its runs are made for, and opportunistic ones. If all are opportunistic, runs are
-- made for these.
local function find_own(context, level)
    local own, opportunistic = {}, {}
    for _, boundary in ipairs(level.boundaries) do
        local found = quantity.traffic(context.machine, context.groups, boundary)
        if #found == 0 then
            skip(context, level, nil, nil, quantity.why_none(context.machine, boundary, context.groups))
        end
        skip_lacking(context, level, boundary)
        for _, one in ipairs(found) do
            local list = one.opportunistic and opportunistic or own
            list[#list + 1] = one
        end
    end
    if #own == 0 then
        return opportunistic, own
    end
    return own, opportunistic
end

-- Quantities of the boundaries against which the level is measured: volumes only, for the codes that show them.
local function find_against(context, level)
    local all = lists.flat(level.against or {}, function(boundary)
        return quantity.traffic(context.machine, context.groups, boundary)
    end)
    return lists.collect(all, function(one)
        one.codes = context.pattern.against
        return one.kind == "volume" and one
    end)
end

-- The measurement of a level's jobs: quantities, their groups, and the runs that count them.
local function make_measurement(context, level)
    local own, opportunistic = find_own(context, level)
    local more = find_against(context, level)
    lists.append(more, opportunistic)
    local groups = signature.beside(groups_of(context, own), context.signatures)
    local runs, missing = pack.runs { groups = groups, opportunistic = groups_of(context, more), machine = context.machine }
    local kept, names = array(), array()
    local left_out = keep_shown(own, runs, kept, names)
    for _, metric in ipairs(left_out > 0 and missing or {}) do
        skip(context, level, nil, nil, metric.reason)
    end
    if #kept > 0 then
        keep_shown(more, runs, kept, names)
    end
    return { quantities = kept, groups = names, runs = runs }
end

-- Adds the batches of one level with their measurement; none if no group shows its boundaries.
local function add_batches(context, level, batches)
    local measurement = make_measurement(context, level)
    for _, word in ipairs(#measurement.quantities > 0 and level.placements or {}) do
        local placement, reason = placements.expand(word, context.node)
        if placement then
            local batch = make_batch(context, level, placement)
            batch.measurement = measurement
            batches[#batches + 1] = #batch.points > 0 and batch or nil
        elseif reason then
            skip(context, level, word, nil, reason)
        end
    end
end

local function make_batches(context, only_level)
    local batches = {}
    for _, level in ipairs(context.pattern.levels) do
        if only_level == nil or only_level == level.name then
            add_batches(context, level, batches)
        end
    end
    return batches
end

-- Cuts a batch into `count` jobs of similar cost; points keep their order.
local function cut(context, batch, count)
    local measurement = batch.measurement
    local jobs, passed = {}, 0
    for _, point in ipairs(batch.points) do
        local number = math.min(count, 1 + math.floor((passed + point.accesses / 2) / batch.accesses * count))
        passed = passed + point.accesses
        local job = jobs[#jobs]
        if not job or job.number ~= number then
            job = {
                number = number,
                id = ("%s.%s.%s.%d"):format(context.pattern.name, batch.level.name, batch.placement.name, #jobs + 1),
                pattern = context.pattern.name,
                level = batch.level.name,
                placement = batch.placement.name,
                cpus = batch.placement.cpus,
                points = array(),
                bytes = 0,
                accesses = 0,
                groups = measurement.groups,
                quantities = measurement.quantities,
                runs = measurement.runs,
            }
            jobs[#jobs + 1] = job
        end
        job.points[#job.points + 1] = point
        job.bytes = math.max(job.bytes, point.bytes)
        job.accesses = job.accesses + point.accesses
    end
    for _, job in ipairs(jobs) do
        job.number = nil
    end
    return jobs
end

-- The jobs of a pattern whose codes are streams in levels of the memory hierarchy.
local function make_level_jobs(context, options)
    local batches = make_batches(context, options.level)
    local total = lists.sum(batches, "accesses")
    local jobs = array()
    local wanted = options.jobs or (options.quick and JOBS_QUICK or JOBS)
    for _, batch in ipairs(batches) do
        local share = math.floor(batch.accesses / total * wanted + 0.5)
        local count = math.max(1, math.min(share, math.floor(batch.accesses / JOB_LEAST)))
        lists.append(jobs, cut(context, batch, count))
    end
    return jobs
end

-- Why the machine's models are not valid for the node; nil if they are.
local function find_mismatch(machine, node)
    local wanted = machine.levels and #levels.of_data(machine) or #node.caches
    if wanted ~= #node.caches then
        return ("node %s has %d cache levels, machine %s has %d"):format(node.name, #node.caches, machine.arch, wanted)
    end
    return nil
end

-- What does not depend on the pattern.
local function prepare(argument)
    local groups = boxes.fit_all(argument.groups, argument.machine, argument.node)
    return {
        groups = groups,
        quantities = quantity.all(argument.machine, groups),
        signatures = argument.options.matrix
            and signature.groups { patterns = argument.patterns, machine = argument.machine, groups = groups } or nil,
    }
end

local function plan_pattern(pattern, argument, prepared)
    local options = argument.options
    local skipped = array()
    local context = {
        pattern = pattern,
        machine = argument.machine,
        node = argument.node,
        kernels = argument.kernels,
        groups = prepared.groups,
        quantities = prepared.quantities,
        signatures = prepared.signatures,
        quick = options.quick,
        skip = function(entry)
            entry.pattern = pattern.name
            skipped[#skipped + 1] = entry
        end,
    }
    local mismatch = find_mismatch(context.machine, context.node) or pattern.levels and levels.lacking(context.machine)
    if mismatch then
        context.skip { reason = mismatch }
        return { jobs = array(), skipped = skipped }
    end
    local jobs = pattern.levels and make_level_jobs(context, options) or points_of.jobs(context)
    table.sort(jobs, lists.by(function(job) return -job.accesses end, "id"))
    return { jobs = jobs, skipped = skipped }
end

-- For the contract see the top of this file.
function plan.make(argument)
    local prepared = prepare(argument)
    return lists.map(argument.patterns, function(pattern) return plan_pattern(pattern, argument, prepared) end)
end

return plan
