-- probe.lua - reads probes/NAME.lua: a micro-benchmark with exactly known counts of every concept.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   codes        name, as in the program; `runs` = the function that does the work, counted in its machine code; `calls` = functions
--                that it calls; `mate` = "pair" or "across" (plan/placement.lua): another core works at the same time (the program gets
--                its number + 1 after the parameters); any other fields are for `counts`
--   parameters   of the program's command line, in order, without the last one, `times`: number of passes in a region
--   points       the parameters, code = the point's code, times = { .. } of its regions, ascending
--   curves       |nil: sequences of points, with name, title, code, times and parameters as for a point, each a value or a
--                function of at, except `by`, the varied parameter, whose ascending values are values(at). axis = title of the axis, in
--                bytes if is_bytes; x(at) = the point's place on it; marks(at) = array of { x =, text = } on it |nil; per = the unit that
--                counts are divided by, amount(at) = number of these units in a pass, least = |nil: if a pass has fewer of them, times are
--                multiplied to reach it; executions(at) = { times = number of one-pass regions instead of
--                `times`, why_fewer = than on silicon |nil }: least and median are shown |nil; shown = concepts: events that count
--                one of them are drawn; naive = { [concept] = function(at): the naively expected count of a pass } |nil. at = { node =,
--                machine =, is_named = true if events are named, so that there are few runs }, and for a point code =, point =
--   needs_machine  true if values or counts follow from the machine file (at.machine, capacity): else they run without one, too |nil
--   vectors      |nil: a table of concepts per pass of each point: title, per, concepts = array of its columns, short = their titles
--   counts       function(at) -> { [concept] = number | { min =, value =, max = } }, counts of a region. A concept that is not in it
--                does not occur; false: its count is unknown. nil: the point shows nothing on this node and is not
--                run. at = { code =, point =, times =, parts =, called =, node =, machine = } as in plan/points.lua
local amounts = require "model.amounts"
local code = require "model.code"
local entries = require "input.entries"
local fields = require "input.fields"
local lists = require "input.lists"
local loaded = require "input.loaded"
local traffic = require "model.traffic"

local probe = { PROGRAM = "probes" } -- one program contains all probes

local field, list, OPEN, TEXT = fields.field, fields.list, fields.OPEN, fields.TEXT
local FUNCTION = field "function"

-- Mispredicted branches and their wrong-path work: only a few probes know these.
local MISPREDICTED = { "mispredicted branches", "mispredicted conditional branches", "mispredicted branches taken",
    "mispredicted branches not taken", "conditional branches begun as taken", "conditional branches begun as not taken" }

-- The given unknown concepts, and those of mispredictions.
local function and_mispredictions(concepts)
    return lists.append(concepts, MISPREDICTED)
end

local LENT = { capacity = traffic.capacity, place_of = amounts.place_of, concepts_of = code.concepts,
    and_mispredictions = and_mispredictions }
local KINDS = {
    probe = {
        name = TEXT,
        title = TEXT,
        about = TEXT,
        codes = list "code",
        parameters = list("string", { may_be_empty = true }),
        points = list "point",
        curves = list("curve", { optional = true }),
        needs_machine = field("boolean", { optional = true }),
        vectors = field("table", { optional = true, entry = "vectors" }),
        counts = FUNCTION,
    },
    code = { [OPEN] = true, name = TEXT, runs = TEXT, calls = list("string", { optional = true }),
        mate = field("string", { optional = true }) },
    point = { [OPEN] = true, code = TEXT, times = list "number" },
    curve = {
        [OPEN] = true,
        name = TEXT,
        title = TEXT,
        code = TEXT,
        by = TEXT,
        values = FUNCTION,
        times = list("number", { optional = true }),
        executions = field("function", { optional = true }),
        axis = TEXT,
        x = FUNCTION,
        per = TEXT,
        amount = FUNCTION,
        least = field("number", { optional = true, positive = true }),
        marks = field("function", { optional = true }),
        shown = list "string",
        naive = field("table", { optional = true }),
    },
    vectors = { title = TEXT, per = TEXT, concepts = list "string", short = list "string" },
}

local function check_code(point, codes, kind, fail)
    if not codes[point.code] then
        fail("%s.code must be one of the probe's codes, not '%s'", kind, point.code)
    end
end

local function check_times(point, codes, kind, fail)
    check_code(point, codes, kind, fail)
    for index, times in ipairs(point.times) do
        if math.type(times) ~= "integer" or times <= (point.times[index - 1] or 0) then
            fail("%s.times must be whole numbers, each larger than the one before", kind)
        end
    end
    if #point.times < 3 then
        fail("%s.times has %d numbers; a slope with its error takes three", kind, #point.times)
    end
end

local function check_curve(curve, spec, codes, fail)
    if (curve.times == nil) == (curve.executions == nil) then
        fail "curve has times or executions, one of them"
    elseif curve.times then
        check_times(curve, codes, "curve", fail)
    else
        check_code(curve, codes, "curve", fail)
    end
    if not lists.contains(spec.parameters, curve.by) then
        fail("curve.by must be one of the probe's parameters, not '%s'", curve.by)
    end
    local others = lists.filter(spec.parameters, function(name) return name ~= curve.by and type(curve[name]) ~= "function" end)
    entries.check_numbers(curve, others, "curve", fail)
end

-- { text =, file = } -> the probe, without its functions (loaded.lua has them). Raises "file:line: ...".
function probe.read(argument)
    local spec, fail_at = entries.read(argument, "probe", KINDS, LENT)
    local codes = entries.check_unique(spec.codes, "name", "code", fail_at)
    for _, point in ipairs(spec.points) do
        check_times(point, codes, "point", fail_at(point))
        entries.check_numbers(point, spec.parameters, "point", fail_at(point))
    end
    for _, curve in ipairs(spec.curves or {}) do
        check_curve(curve, spec, codes, fail_at(curve))
    end
    entries.check_unique(spec.curves or {}, "name", "curve", fail_at)
    if spec.vectors and #spec.vectors.short ~= #spec.vectors.concepts then
        fail_at(spec.vectors)("vectors.short has %d titles for %d concepts", #spec.vectors.short, #spec.vectors.concepts)
    end
    spec.program = probe.PROGRAM
    return loaded.keep(spec, "probes")
end

return probe
