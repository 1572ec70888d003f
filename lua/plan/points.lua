-- points.lua - plans a pattern with models of its own: its points, and the expected value of each quantity at each point.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Models are functions of the pattern file. They are called here, once; after planning there are only numbers. Each is called as
--     expect(at) with at = { code = the pattern's entry, kernel = plan.lua's entry|nil, point = the pattern's entry,
--                            placement = word, thread = 0 ..|"domain"|"socket", threads = number of threads that a domain's or socket's
--                            quantity counts, else all, first = number of the first of these, node =, machine = as from
--                            architecture.of_models,
--                            weights = what the quantity's events count of the code, part = the boxes that they see |nil: all
--                            (quantity.lua), parts = counts of the function that the code `runs`: { pass =, guarded =, constant =,
--                            jumps_apart =, in_core = { cycles =, by = } or { none = reason } |nil } |nil (validate/run/kernels.h),
--                            called = parts by name of functions it `calls`, count = function(event), own = function() }
-- where count("avx_calc") is the kernel's own count in the region (code.lua), and own() the count of the quantity's events. It returns
--     number                                    the exact amount, in counts (bytes for a metric in GBytes). For a metric over time it is
--                                               the amount, which is divided by the region's measured time
--     { min =, value =, max =, work = |nil, terms = |nil }    an interval and its nominal value; work is the reference where 0 is
--                                               expected; terms, { { name =, amount = } .. }, are the causes of the interval's width
--     nil                                       no claim: the quantity has no model at this code or point
--     { none = reason }                         no claim, and the quantity is skipped with that reason
-- difference(at) of a quantity is called the same way for points with a base, with at.base = the point's entry with the base's numbers.
-- It gives the amount of the point's region minus the amount of the base's region.
-- count(at) of a quantity (optional) is called the same way and gives the event's count in the disassembled code, a number.
local architecture = require "input.architecture"
local array = require "input.array"
local code_counts = require "model.code"
local controls = require "plan.controls"
local data = require "input.bytes"
local levels = require "model.levels"
local lists = require "input.lists"
local loaded = require "input.loaded"
local pack = require "plan.pack"
local placement = require "plan.placement"
local quantity = require "plan.quantity"
local signature = require "plan.signature"
local units = require "plan.units"

local points = {}

local JOB_MOST = 12e7 -- accesses per process: some simulated seconds, so that two parallel processes end together
local DEFAULT_COST = 1e6

local function describe(context, one, point)
    return ("pattern %s: the model of '%s' at point %s"):format(context.pattern.name, one.name, point.region)
end

local function to_terms(terms, scale)
    return terms and array(lists.map(terms, function(term) return { name = term.name, amount = term.amount * scale } end))
end

-- A model's result as an interval in the metric's unit; nil for no claim.
local function to_interval(context, one, point, returned)
    if type(returned) == "table" and returned.none then
        context.skip_once(("%s: %s"):format(one.name, returned.none), one.name)
        return nil
    elseif returned == nil then
        return nil
    end
    local expected = type(returned) == "number" and { min = returned, value = returned, max = returned } or returned
    if type(expected) ~= "table" then
        error(("%s gives a %s, not a number or an interval"):format(describe(context, one, point), type(returned)), 0)
    end
    local scale = (one.times or 1) / data.scale(one.unit)
    local interval = {}
    for _, key in ipairs { "min", "value", "max", "work" } do
        local number = expected[key]
        if key ~= "work" or number ~= nil then
            if type(number) ~= "number" or number ~= number or number < 0 or number == math.huge then
                local text = number ~= number and "nan" or tostring(number)
                error(("%s gives %s = %s, which is no amount"):format(describe(context, one, point), key, text), 0)
            end
            interval[key] = number * scale
        end
    end
    if interval.min > interval.value or interval.value > interval.max then
        error(("%s gives the value %g outside of its interval %g .. %g"):format(describe(context, one, point), expected.value,
            expected.min, expected.max), 0)
    end
    interval.terms = to_terms(expected.terms, scale)
    return interval
end

local function ask(context, at, model, one, point, thread)
    at.thread = thread
    local ok, returned = pcall(model, at)
    local unstated = levels.lacking(context.machine)
    if not ok and unstated and tostring(returned):find(unstated, 1, true) then
        returned = { none = unstated }
    elseif not ok then
        error(("%s fails: %s"):format(describe(context, one, point), tostring(returned)), 0)
    end
    return to_interval(context, one, point, returned)
end

-- The ratio of two threads' intervals; nil unless the second one is certainly above 0.
local function to_ratio(first, second)
    if not first or not second or second.min <= 0 then
        return nil
    end
    return { min = first.min / second.max, value = first.value / second.value, max = first.max / second.min }
end

-- Adds the expectation of one quantity at a point to `expected`, { [metric] = { [cpu as text] = interval } }, from expect(at).
local function add_expected(context, at, shown, point, cpus, expect, expected)
    local found, threads, one = {}, at.threads, shown.quantity
    at.weights, at.part = one.code or {}, one.part
    for _, unit in ipairs(units.of(context.node, one.scope, cpus)) do
        at.threads, at.first = one.scope == "core" and threads or #unit.cpus, unit.thread
        found[tostring(unit.cpu)] = ask(context, at, expect, one, point, one.scope == "core" and unit.thread or one.scope)
    end
    at.threads = threads
    expected[one.metric] = next(found) and found or nil
    if shown.model.ratio and #cpus >= 2 and one.scope == "core" and one.kind ~= "rate" then -- rates: each thread has its own time
        local ratio = to_ratio(found[tostring(cpus[1])], found[tostring(cpus[2])])
        expected[quantity.ratio(one).metric] = ratio and { [tostring(cpus[1])] = ratio } or nil
    end
end

-- Adds expectations of the region and of its difference to the base, and direct counts of the code.
local function add_models(context, at, shown, point, cpus)
    local model, metric = shown.model, shown.quantity.metric
    add_expected(context, at, shown, point, cpus, model.expect, point.expected)
    if point.expected[metric] then
        point.counted[metric] = model.count and at.kernel and shown.quantity.kind ~= "rate" and model.count(at) or nil
    end
    if at.base and model.difference then
        add_expected(context, at, shown, point, cpus, model.difference, point.difference)
    end
end

-- Useful work of each thread, { [cpu as text] = elements }; nil if the pattern does not state it.
local function list_processed(context, at, cpus)
    local processed = context.pattern.processed and {}
    for thread, cpu in ipairs(processed and cpus or {}) do
        at.thread = thread - 1
        processed[tostring(cpu)] = context.pattern.processed(at)
    end
    return processed
end

local function kernel_cost(kernel, given)
    return (given.passes + 2) * given.elements / kernel.elements_per_pass * (kernel.loads_per_pass + kernel.stores_per_pass + 1)
end

-- Command-line words of a program for the point: region, code, parameters.
local function list_arguments(context, code, given)
    local words = array { code.name }
    lists.append(words, context.pattern.parameters, function(name) return tostring(given[name]) end)
    return words
end

-- The point's numbers from the pattern file, to be stored with its samples.
local function list_given(given)
    local numbers = {}
    for name, value in pairs(given) do
        numbers[name] = type(value) == "number" and value or nil
    end
    return numbers
end

-- All numbers have as many digits: LIKWID 5.5.2 drops a region whose name begins with the name of an earlier one (p1, p10).
local function region_of(context, place, code, number)
    local digits = #tostring(#context.pattern.points)
    return ("%s.%s.p%0" .. digits .. "d"):format(code.name, place.name:gsub("[:@]", "."), number)
end

local function make_point(context, place, code, given, number)
    local kernel = code.kernel and context.kernels[code.kernel]
    local parts, called = code_counts.parts(context.kernels, context.pattern.name, code)
    local point = {
        region = region_of(context, place, code, number),
        code = code.name,
        control = controls.which(context.pattern, { code = code.name, placement = place.word }),
        given = list_given(given),
        expected = {},
        counted = {},
    }
    local at = {
        code = code,
        kernel = kernel,
        parts = parts,
        called = called,
        point = given,
        placement = place.word,
        threads = #place.cpus,
        node = context.node,
        machine = context.described,
    }
    if kernel then
        at.count = function(event)
            return code_counts.count(kernel, event, given)
        end
        at.own = function()
            return code_counts.weigh(kernel, at.weights, given)
        end
        point.kernel, point.elements, point.passes, point.streams = kernel.name, given.elements, given.passes, #kernel.streams
        point.bytes = #kernel.streams * given.elements * kernel.bytes_per_element
    else
        point.arguments = list_arguments(context, code, given)
    end
    if given.base then
        at.base = {}
        for name, value in pairs(given) do
            at.base[name] = given.base[name] or value
        end
        point.base = { region = point.region .. ".base", arguments = list_arguments(context, code, at.base) }
        point.difference = {}
    end
    point.accesses = context.pattern.cost and context.pattern.cost(at) or kernel and kernel_cost(kernel, given) or DEFAULT_COST
    point.accesses = math.ceil(point.accesses)
    point.processed = list_processed(context, at, place.cpus)
    for _, shown in ipairs(context.shown) do
        add_models(context, at, shown, point, place.cpus)
    end
    return point
end

-- Quantities that a group shows: { { model = the pattern's entry, quantity = a copy, which measure() marks } .. }. The others are
-- skipped.
local function find_shown(context)
    local shown = {}
    for _, model in ipairs(context.pattern.quantities) do
        local found = lists.filter(context.quantities, function(one) return one.name == model.name end)
        if #found == 0 and not model.optional then
            context.skip { quantity = model.name, reason = quantity.why_none(context.machine, model.name, context.groups) }
        end
        lists.append(shown, found, function(one) return { model = model, quantity = lists.copy(one) } end)
    end
    return shown
end

-- Quantities with an expectation at some point of the job, their groups and the runs that count them.
local function measure(context, job)
    local wanted = lists.set(lists.flat(job.points, function(point) return lists.sorted(point.expected) end))
    local all = lists.flat(context.shown, function(shown) return { shown.quantity, quantity.ratio(shown.quantity) } end)
    local found = lists.filter(all, function(one) return wanted[one.metric] end)
    for _, one in ipairs(found) do
        one.signature = one.name == context.pattern.signature or nil
    end
    lists.distinct(found, job.groups, "group")
    local groups = lists.map(job.groups, function(name) return context.groups[name] end)
    local runs, left_out = pack.runs { groups = signature.beside(groups, context.signatures), machine = context.machine }
    job.runs = runs
    lists.append(job.quantities, found, function(one)
        return lists.any(runs, function(run) return pack.shows(run, one.group, one.of or one.metric) end) and one
    end)
    for _, metric in ipairs(left_out) do
        if wanted[metric.metric] then
            context.skip_once(metric.reason)
        end
    end
end

-- Whether the node has what a code needs. A second memory without cores is only high-bandwidth memory where it has boxes.
local function has(context, what)
    return context.node[what] and (what ~= "hbm" or lists.any(context.machine.counters, function(box) return box.one_per == "hbm" end))
end

-- Codes that can run and be counted here; the others are skipped.
local function find_codes(context)
    local codes = {}
    for _, code in ipairs(context.pattern.codes) do
        local kernel = code.kernel and context.kernels[code.kernel]
        if kernel and kernel.refused then
            context.skip { code = code.name, reason = ("kernel %s: %s"):format(kernel.name, kernel.refused) }
        elseif code.needs and not has(context, code.needs) then
            if not code.optional then
                context.skip { code = code.name, reason = ("it needs %s, which is not there"):format(code.needs) }
            end
        else
            codes[#codes + 1] = code
        end
    end
    return codes
end

local function new_job(context, place, number)
    return {
        id = ("%s.%s.%d"):format(context.pattern.name, place.name:gsub("@", "_"), number),
        pattern = context.pattern.name,
        program = context.pattern.parameters and context.pattern.name or nil,
        placement = place.name,
        cpus = place.cpus,
        points = array(),
        bytes = 0,
        accesses = 0,
        groups = array(),
        quantities = array(),
    }
end

-- A code with points of its own does not have the pattern's points.
local function is_of(context, code, given)
    local has_own = lists.any(context.pattern.points, function(point) return point.code == code.name end)
    return given.code == (has_own and code.name or nil)
end

local function place_jobs(context, place, jobs)
    local job, count = nil, 0
    for _, code in ipairs(context.codes) do
        for number, given in ipairs(context.pattern.points) do
            if (given.quick or not context.quick) and is_of(context, code, given) then
                local point = make_point(context, place, code, given, number)
                if next(point.expected) and (point.control or not context.signatures) then
                    if not job or job.accesses + point.accesses > JOB_MOST then
                        count = count + 1
                        job = new_job(context, place, count)
                        jobs[#jobs + 1] = job
                    end
                    job.points[#job.points + 1] = point
                    job.bytes = math.max(job.bytes, point.bytes or 0)
                    job.accesses = job.accesses + point.accesses
                end
            end
        end
    end
end

-- Skips quantities for which the model makes no claim at any point, and says so unless a reason was given before.
local function skip_unclaimed(context, jobs)
    local claimed = lists.set(lists.flat(jobs, "quantities"), "name")
    for _, shown in ipairs(#jobs > 0 and context.shown or {}) do
        local name = shown.quantity.name
        if not claimed[name] and not context.skipped[name] then
            context.skip_once(("%s: no size of this run makes it predictable here"):format(name), name)
        end
    end
end

-- context as in plan.lua, with skip = function(entry). Returns the pattern's jobs (plan.lua).
function points.jobs(context)
    context.pattern = loaded.find(context.pattern)
    local reasons = {}
    context.skipped = {} -- by name of the quantity
    context.skip_once = function(reason, name)
        if not reasons[reason] then
            reasons[reason], context.skipped[name or false] = true, true
            context.skip { quantity = name, reason = reason }
        end
    end
    context.shown, context.codes = find_shown(context), find_codes(context)
    context.described = architecture.of_models(context.machine)
    local jobs = array()
    for _, word in ipairs(context.pattern.placements) do
        local place, reason = placement.expand(word, context.node)
        if place then
            place_jobs(context, place, jobs)
        elseif reason then
            context.skip { placement = word, reason = reason }
        end
    end
    for _, job in ipairs(jobs) do
        measure(context, job)
    end
    skip_unclaimed(context, jobs)
    return jobs
end

return points
