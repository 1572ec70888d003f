-- schema.lua - reads pattern and machine files (entries.lua) and checks them; errors name file and line.
-- SPDX-License-Identifier: GPL-3.0-or-later
local amounts = require "model.amounts"
local colours = require "model.colours"
local shared = require "input.shared"
local architecture = require "input.architecture"
local entries = require "input.entries"
local fields = require "input.fields"
local data_levels = require "model.levels"
local explained = require "model.explained"
local lists = require "input.lists"
local loaded = require "input.loaded"
local versions = require "input.versions"
local words = require "input.pattern_words"
local traffic = require "model.traffic"

local schema = {}

local check_names, check_unique = entries.check_names, entries.check_unique
local field, list, OPEN = fields.field, fields.list, fields.OPEN
local TEXT, POSITIVE = fields.TEXT, fields.POSITIVE

-- A pattern has one of two models:
--   levels       its codes are streaming kernels whose data are in one level of the memory hierarchy; traffic.lua models the traffic.
--     A level may be given more than once, with different placements.
--     boundaries boundaries to measure, in as many runs as their groups need
--     against    boundaries also measured with the codes of pattern.against (what must show there, and what must not), in this order, as
--                far as these runs have free counters
--     codes      the codes that run at this level; omitted: all
--   quantities   its codes are kernels or the program patterns/NAME.c, run at the `points`; each quantity has its own model:
--     code       name, kernel (omitted: the program looks up the name), `runs` = function that does the work, counted by disassembly;
--                `calls` = functions it calls, counted separately; `in_core` = true: predict the cycles of its passes; `needs` =
--                feature of the node ("openblas", "hbm"), without it the code is skipped, silently if `optional` = true; further fields
--                for the models
--     points     numbers by name: `elements` per stream and `passes` for kernels; for a program its `parameters`, in the order of its
--                command line; `quick = true`: also measured with --quick; `code = NAME`: for this code only, it then gets no shared
--                points; base = { parameter = smaller value, .. }: the program runs this first, in a separate region, and the
--                difference of the two is judged as well
--     quantity   name (quantity.lua); expect = function(at) -> expected amount, see points.lua; difference = function(at) -> expected
--                difference of a point and its base; ratio = true: the ratio of two threads is judged too; optional = true: only some
--                architectures' groups show it, nothing is skipped without it; count = function(at) -> the event's number in the
--                kernel's code (oracles.lua)
--   controls     { present = control {..}, absent = control {..} }: code with the pattern, and the same work without it. A control names a
--                level or a code; optional: its placement, thread = 1 for a single thread's value, with levels codes = {..}
--   signature    the quantity, or its ratio, that distinguishes the controls
--   tests        conditions that show the pattern in any program: all must hold; omitted: the signature decides
--     quantity   names; the first one that the machine's groups show is used; `plus`: a quantity to add; `per`: one to divide by
--     spread     true: the largest of the threads' values divided by the smallest
--     against    "none": the absent control is codes of other patterns without the quantity; for quantities that must also be present
--     most       upper limit of a correct value: 1 for a share
--   also         controls of other patterns that show the signature too: pattern, control ("present" or "absent"; omitted: both), reason
--   explains     the share of a program's run time that the pattern can explain (program/judge/diagnosis.lua):
--     needs      names of quantities; "A|B": the first one that the machine's groups show, called A. First the one that costs time
--     may        names of further quantities, used where the machine's groups show them
--     turned     names of those of them that the run with other turns of several threads counts as well, while there are counters
--     cycles     function(at) -> { least, most, (why there may be more) |nil }: cycles that the pattern costs a thread
--     in_pipeline  true: a virtual node has no such cycles if its cores have no pipelines
--     start      cycles that it costs the start of a process: those of an empty C++ program, at most
--     ruled_out  function(node, threads) -> reason why the node or the number of threads cannot show the pattern |nil
--   health       true: a quick pattern, part of assay validate --health
--   judged_elsewhere  quantities that also show the pattern but that another pattern judges: for the table of event sets
--   cost         function(at) -> loads and stores of a point: the most expensive job starts first
--   processed    function(at) -> elements of a thread's useful work per pass, which no event needs to count
-- Functions may use Lua's own functions that only compute (docs/design.md) and those of LENT.
local LENT = {
    capacity = traffic.capacity,
    none_of = amounts.none_of,
    at_least = amounts.at_least,
    directory_lines = data_levels.directory_lines,
    place_of = amounts.place_of,
    safe_bytes = colours.safe_bytes,
    are_random = colours.are_random,
    pair_bytes = amounts.pair_bytes,
    with_neighbours = amounts.with_neighbours,
    lines_past = amounts.lines_past,
    uneven_lines = amounts.uneven_lines,
    executed = amounts.executed,
    level_of = data_levels.of,
    per_instruction = amounts.per_instruction,
    cycles_per_instruction = amounts.cycles_per_instruction,
    cost = explained.cost,
    costs = explained.costs,
    random_part = explained.random_part,
    overhead = explained.overhead,
    spun = explained.spun,
    narrow = explained.narrow,
    contended = explained.contended,
    by_quantity = explained.by_quantity,
    uneven = explained.uneven,
    dependent = explained.dependent,
    written = explained.written,
}
local PATTERN_KINDS = {
    pattern = {
        name = TEXT,
        title = TEXT,
        class = field("string", { one_of = { "bottleneck", "hazard", "work" } }),
        about = field("string", { optional = true }),
        desired = field("string", { optional = true }), -- the ideal quantity, whether or not a machine can count it
        advice = field("string", { optional = true }), -- what users can do about it in their code
        codes = list "code",
        levels = list("level", { optional = true }),
        against = list("string", { optional = true }),
        placements = list("string", { optional = true, one_of = words.PLACEMENTS }),
        parameters = list("string", { optional = true }),
        points = list("point", { optional = true }),
        quantities = list("quantity", { optional = true }),
        cost = field("function", { optional = true }),
        judged_elsewhere = list("string", { optional = true }),
        processed = field("function", { optional = true }),
        controls = field("table", { optional = true }),
        signature = field("string", { optional = true }),
        tests = list("test", { optional = true }),
        also = list("also", { optional = true }),
        explains = field("table", { optional = true, entry = "explains" }),
        health = field("boolean", { optional = true }),
    },
    explains = {
        needs = list "string",
        may = list("string", { optional = true }),
        turned = list("string", { optional = true }),
        cycles = field "function",
        ruled_out = field("function", { optional = true }),
        in_pipeline = field("boolean", { optional = true }),
        start = field("number", { optional = true }),
    },
    code = { [OPEN] = true, name = TEXT, kernel = field("string", { optional = true }), runs = field("string", { optional = true }),
        calls = list("string", { optional = true }), needs = field("string", { optional = true, one_of = { "openblas", "hbm" } }),
        optional = field("boolean", { optional = true }) },
    level = {
        name = field("string", { match = "^%u[%u%d]*$" }),
        boundaries = list("string", { match = "^%w+%-%w+$" }),
        against = list("string", { optional = true, match = "^%w+%-%w+$" }),
        codes = list("string", { optional = true }),
        placements = list("string", { one_of = { "core", "domain", "socket" } }),
        points = POSITIVE,
        points_quick = POSITIVE,
        interval_pct = POSITIVE,
    },
    point = { [OPEN] = true, quick = field("boolean", { optional = true }), code = field("string", { optional = true }),
        base = field("table", { optional = true }) },
    quantity = {
        name = TEXT,
        expect = field "function",
        difference = field("function", { optional = true }),
        count = field("function", { optional = true }),
        ratio = field("boolean", { optional = true }),
        optional = field("boolean", { optional = true }),
    },
    control = {
        level = field("string", { optional = true }),
        code = field("string", { optional = true }),
        codes = list("string", { optional = true }),
        placement = field("string", { optional = true, one_of = words.PLACEMENTS }),
        thread = field("number", { optional = true }),
    },
    test = {
        quantity = list "string",
        plus = field("string", { optional = true }),
        per = field("string", { optional = true }),
        spread = field("boolean", { optional = true }),
        against = field("string", { optional = true, one_of = { "none" } }),
        most = field("number", { optional = true, positive = true }),
    },
    also = { pattern = TEXT, control = field("string", { optional = true, one_of = { "present", "absent" } }), reason = TEXT },
}

local function check_controls(pattern, names, key, fail_at)
    check_names(pattern.controls, { present = true, absent = true }, "controls", fail_at(pattern))
    for _, which in ipairs { "present", "absent" } do
        local control = pattern.controls[which]
        if type(control) ~= "table" or not names[control[key]] then
            fail_at(pattern)("controls.%s must be control { %s = one of the pattern's %ss, .. }", which, key, key)
        end
    end
end

local function check_codes(codes, names, what, fail)
    for _, name in ipairs(codes or {}) do
        if not names[name] then
            fail("%s must be names of the pattern's codes, not '%s'", what, name)
        end
    end
end

-- Set of the levels' names; each placement of a level may occur once.
local function check_placed(levels, fail_at)
    local names, seen = {}, {}
    for _, level in ipairs(levels) do
        for _, word in ipairs(level.placements) do
            local key = level.name .. " " .. word
            if seen[key] then
                fail_at(level)("level '%s' is given twice with placement '%s'", level.name, word)
            end
            names[level.name], seen[key] = true, true
        end
    end
    return names
end

local function check_levels(pattern, codes, fail_at)
    check_codes(pattern.against, codes, "pattern.against", fail_at(pattern))
    for _, level in ipairs(pattern.levels) do
        check_codes(level.codes, codes, "level.codes", fail_at(level))
        if level.against and not pattern.against then
            fail_at(level)("level.against needs pattern.against: the codes that show it")
        end
    end
    for _, code in ipairs(pattern.codes) do
        if not code.kernel then
            fail_at(code)("code.kernel must be a string, not absent")
        end
        check_names(code, { name = true, kernel = true }, "code", fail_at(code))
    end
    if not pattern.controls then
        fail_at(pattern)("pattern.controls must be a table, not absent")
    end
    check_controls(pattern, check_placed(pattern.levels, fail_at), "level", fail_at)
    for _, control in pairs(pattern.controls) do
        check_codes(control.codes, codes, "control.codes", fail_at(control))
    end
end

-- A base names only parameters, each with a smaller value than the point's.
local function check_base(point, wanted, fail_at)
    local named = {}
    for name in pairs(point.base) do
        named[#named + 1] = name
        if not lists.contains(wanted, name) then
            fail_at(point)("point.base names '%s', which is no parameter", tostring(name))
        end
    end
    entries.check_numbers(point.base, named, "point.base", fail_at(point))
    for _, name in ipairs(named) do
        if point.base[name] >= point[name] then
            fail_at(point)("point.base.%s must be less than %d", name, point[name])
        end
    end
end

local function check_points(pattern, fail_at)
    local wanted = pattern.parameters or { "elements", "passes" }
    for _, name in ipairs { "points", "placements" } do
        if not pattern[name] then
            fail_at(pattern)("pattern.%s must be a table, not absent", name)
        end
    end
    for _, code in ipairs(pattern.codes) do
        if (code.kernel == nil) ~= (pattern.parameters ~= nil) then
            fail_at(code)("code '%s': give code.kernel or pattern.parameters, not both or none", code.name)
        end
    end
    local codes = check_unique(pattern.codes, "name", "code", fail_at)
    for _, point in ipairs(pattern.points) do
        entries.check_numbers(point, wanted, "point", fail_at(point))
        if point.code and not codes[point.code] then
            fail_at(point)("point.code must be one of the pattern's codes, not '%s'", point.code)
        elseif point.base and not pattern.parameters then
            fail_at(point)("point.base is for programs, which have `parameters`")
        elseif point.base then
            check_base(point, wanted, fail_at)
        end
    end
    local names = check_unique(pattern.quantities, "name", "quantity", fail_at)
    for _, one in ipairs(pattern.quantities) do
        names[one.name .. words.RATIO] = one.ratio
    end
    if pattern.signature and not names[pattern.signature] then
        fail_at(pattern)("signature '%s' must be one of the pattern's quantities", pattern.signature)
    end
    if pattern.controls then
        check_controls(pattern, check_unique(pattern.codes, "name", "code", fail_at), "code", fail_at)
    end
end

local function check_signature(pattern, fail_at)
    if (pattern.tests or pattern.also) and not pattern.controls then
        fail_at(pattern)("pattern.tests and pattern.also need pattern.controls")
    end
    for _, one in ipairs(pattern.also or {}) do
        if one.pattern == pattern.name then
            fail_at(one)("also.pattern must be another pattern than '%s'", pattern.name)
        end
    end
end

-- { text =, file = } -> the pattern of patterns/NAME.lua, without its functions (loaded.lua has them). Raises "file:line: ...".
function schema.pattern(argument)
    local pattern, fail_at = entries.read(argument, "pattern", PATTERN_KINDS, LENT)
    local codes = check_unique(pattern.codes, "name", "code", fail_at)
    if (pattern.levels == nil) == (pattern.quantities == nil) then
        fail_at(pattern)("pattern '%s' needs levels or quantities, one of them", pattern.name)
    end
    if pattern.levels then
        check_levels(pattern, codes, fail_at)
    else
        check_points(pattern, fail_at)
    end
    check_signature(pattern, fail_at)
    return loaded.keep(pattern)
end

-- { text =, file =, shared = { text =, file = } of groups/counts.lua, likwid = its version |nil: the newest } -> the machine
-- of groups/ARCH/machine.lua (architecture.lua). Raises "file:line: ...". Its `traffic` lists everything that groups show: boundaries, then
-- their parts, then counts, with the quantity's name as boundary. `line` is an entry's line in its `file`.
function schema.machine(argument)
    local machine, fail_at, line_of = entries.read(argument, "machine", architecture.KINDS, {})
    versions.check(machine, fail_at)
    versions.apply(machine, argument.likwid)
    check_unique(machine.counters, "name", "counter box", fail_at)
    check_unique(machine.errata, "id", "erratum", fail_at)
    check_unique(machine.cannot or {}, "quantity", "absent quantity", fail_at)
    machine.counts = shared.counts(machine, argument.shared, fail_at)
    architecture.check(machine, fail_at)
    for _, count in ipairs(machine.counts) do
        count.boundary = count.quantity
    end
    lists.append(lists.append(machine.traffic, machine.parts or {}), machine.counts)
    for _, entry in ipairs(machine.traffic) do
        entry.line, entry.file = entry.line or line_of[entry], entry.file or argument.file
    end
    machine.parts, machine.counts, machine.alike = nil, nil, nil
    return machine
end

return schema
