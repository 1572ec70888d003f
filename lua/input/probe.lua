-- probe.lua - reads probes/NAME.lua: a micro-benchmark whose counts of every concept are known exactly.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   codes        name, as the program knows it; `runs` = the function that does the work, counted in its machine code; `calls` = those
--                that this one calls; and whatever the counts want to know of it
--   parameters   of the program's command line, in its order, but the last, which is `times`: how often a region does the same
--   points       the parameters, code = whose point it is, times = { .. } those of its regions, from the fewest on
--   counts       function(at) -> { [concept] = number | { min =, value =, max = } }, what a region makes; concepts that are not named it
--                makes none of; of those that are false nothing is said. at = { code =, point =, times =, parts =, called =, node =,
--                machine = } as in plan/points.lua
local amounts = require "model.amounts"
local code = require "model.code"
local entries = require "input.entries"
local fields = require "input.fields"
local loaded = require "input.loaded"
local traffic = require "model.traffic"

local probe = { PROGRAM = "probes" } -- all of them are one

local field, list, OPEN, TEXT = fields.field, fields.list, fields.OPEN, fields.TEXT

local LENT = { capacity = traffic.capacity, place_of = amounts.place_of, concepts_of = code.concepts }
local KINDS = {
    probe = {
        name = TEXT,
        title = TEXT,
        about = TEXT,
        codes = list "code",
        parameters = list("string", { may_be_empty = true }),
        points = list "point",
        counts = field "function",
    },
    code = { [OPEN] = true, name = TEXT, runs = TEXT, calls = list("string", { optional = true }) },
    point = { [OPEN] = true, code = TEXT, times = list "number" },
}

local function check_point(point, spec, codes, fail)
    if not codes[point.code] then
        fail("point.code must be one of the probe's codes, not '%s'", point.code)
    end
    entries.check_numbers(point, spec.parameters, "point", fail)
    for index, times in ipairs(point.times) do
        if math.type(times) ~= "integer" or times <= (point.times[index - 1] or 0) then
            fail("point.times must be whole numbers, each larger than the one before")
        end
    end
    if #point.times < 3 then
        fail("point.times has %d numbers; a slope with its error takes three", #point.times)
    end
end

-- { text =, file = } -> the probe, without its functions (loaded.lua has them). Raises "file:line: ...".
function probe.read(argument)
    local spec, fail_at = entries.read(argument, "probe", KINDS, LENT)
    local codes = entries.check_unique(spec.codes, "name", "code", fail_at)
    for _, point in ipairs(spec.points) do
        check_point(point, spec, codes, fail_at(point))
    end
    spec.program = probe.PROGRAM
    return loaded.keep(spec, "probes")
end

return probe
