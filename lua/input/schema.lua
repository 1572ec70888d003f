-- schema.lua - reads pattern and machine files (entries.lua) and checks them: wrong data stop here, with file and line.
-- SPDX-License-Identifier: GPL-3.0-or-later
local amounts = require "model.amounts"
local shared = require "input.shared"
local architecture = require "input.architecture"
local entries = require "input.entries"
local fields = require "input.fields"
local data_levels = require "model.levels"
local lists = require "input.lists"
local loaded = require "input.loaded"
local words = require "input.pattern_words"
local traffic = require "model.traffic"

local schema = {}

local check_names, check_unique = entries.check_names, entries.check_unique
local field, list, OPEN = fields.field, fields.list, fields.OPEN
local TEXT, POSITIVE = fields.TEXT, fields.POSITIVE

-- A pattern shows itself in one of two ways:
--   levels       its codes are streaming kernels, their data in one level of the memory hierarchy; traffic is modelled by traffic.lua.
--     A level may be given more than once, with other placements.
--     boundaries what its codes are to show; its runs are as many as their groups need
--     against    boundaries whose volumes the pattern's codes `against` show next to them, in this order, as far as these runs have
--                counters left: what must be seen there, and what must not
--     codes      these of the pattern's codes only
--   quantities   its codes are kernels or the program patterns/NAME.c, run at the `points` given; each quantity brings its own model:
--     code       name, a kernel (none: the program knows the code by its name), `runs` = the program's function that does the work and
--                that is counted in its machine code, `calls` = those that this one calls, each counted by itself, `in_core` = true if
--                the cycles of its passes are to be predicted, `needs` = what a node's description may have ("openblas"), without
--                which the code is skipped, and whatever the models want to know of it
--     points     numbers by name: `elements` per stream and `passes` for kernels, for a program those that `parameters` lists, in
--                the order of its command line; `quick = true` marks those that --quick takes; `code = NAME` those of one code,
--                which then has no others; base = { a parameter = less of it, .. } makes the program do that first, in a region of
--                its own, and their difference is judged as well
--     quantity   name (quantity.lua); expect = function(at) -> expected amount, see points.lua; difference = the same of what a
--                point has more than its base; ratio = true: that of two threads, too; optional = true: of some architectures'
--                groups only, nothing is skipped where none shows it; count = function(at) -> what the kernel's code holds of the
--                event (oracles.lua)
--   signature    the quantity that tells the controls apart, or its ratio; a control may be one thread's, control { thread = 1 },
--                or with levels that of some codes, control { codes = {..} }
--   tests        what says in any program that the pattern is there: all of these hold; without them the signature alone
--     quantity   names of which the first that the machine's groups show is taken; `plus` another one, added; `per` one to divide by
--     spread     true: the largest of the threads' values over the smallest
--     against    "none": the absent control is code that does none of it at all, not the pattern's; for what must be there besides
--     most       no right value is larger: of a share 1
--   also         controls of other patterns in which the signature is seen, too: pattern, control ("present" or "absent"; absent: both),
--                reason
--   health       true: quick, and a part of what assay validate --health looks at
--   judged_elsewhere  quantities that show the pattern, too, and that another pattern judges: for the table of event sets
--   cost         function(at) -> loads and stores that a point makes: the most expensive job is started first
--   processed    function(at) -> elements of the thread's useful work in one pass, which no event needs to count
-- Functions see Lua's own that only compute (docs/design.md) and those of LENT besides what they are given.
local LENT = {
    capacity = traffic.capacity,
    none_of = amounts.none_of,
    at_least = amounts.at_least,
    directory_lines = data_levels.directory_lines,
    place_of = amounts.place_of,
    executed = amounts.executed,
    per_instruction = amounts.per_instruction,
    cycles_per_instruction = amounts.cycles_per_instruction,
}
local PATTERN_KINDS = {
    pattern = {
        name = TEXT,
        title = TEXT,
        class = field("string", { one_of = { "bottleneck", "hazard", "work" } }),
        about = field("string", { optional = true }),
        desired = field("string", { optional = true }), -- what one would want to count, whether or not a machine can
        advice = field("string", { optional = true }), -- what to do about it in one's own code
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
        health = field("boolean", { optional = true }),
    },
    code = {
        [OPEN] = true,
        name = TEXT,
        kernel = field("string", { optional = true }),
        runs = field("string", { optional = true }),
        calls = list("string", { optional = true }),
        needs = field("string", { optional = true, one_of = { "openblas" } }),
    },
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
    point = {
        [OPEN] = true,
        quick = field("boolean", { optional = true }),
        code = field("string", { optional = true }),
        base = field("table", { optional = true }),
    },
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
    also = {
        pattern = TEXT,
        control = field("string", { optional = true, one_of = { "present", "absent" } }),
        reason = TEXT,
    },
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

-- Levels by name; each placement of one once.
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

-- Of a base some parameters are less, and no other is named.
local function check_base(point, wanted, fail_at)
    local named = {}
    for name in pairs(point.base) do
        named[#named + 1] = name
        if not lists.contains(wanted, name) then
            fail_at(point)("point.base has no parameter '%s'", tostring(name))
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
            fail_at(code)("code '%s' must have a kernel, or else the pattern a program and its `parameters`", code.name)
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
        fail_at(pattern)("pattern.tests and also need `controls`")
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
        fail_at(pattern)("pattern '%s' has no model: it needs either levels or quantities", pattern.name)
    end
    if pattern.levels then
        check_levels(pattern, codes, fail_at)
    else
        check_points(pattern, fail_at)
    end
    check_signature(pattern, fail_at)
    return loaded.keep(pattern)
end

-- { text =, file =, shared = { text =, file = } of groups/counts.lua } -> the machine of groups/ARCH/machine.lua (architecture.lua).
-- Raises "file:line: ...". All that groups show is in its `traffic`: behind the boundaries stand their parts and then the counts, with the
-- quantity's name in the place of the boundary. `line` is an entry's line in its `file`.
function schema.machine(argument)
    local machine, fail_at, line_of = entries.read(argument, "machine", architecture.KINDS, {})
    check_unique(machine.counters, "name", "counter box", fail_at)
    check_unique(machine.errata, "id", "erratum", fail_at)
    check_unique(machine.cannot or {}, "quantity", "absent quantity", fail_at)
    machine.counts = shared.counts(machine, argument.shared, fail_at)
    architecture.check(machine, fail_at)
    table.move(machine.parts or {}, 1, #(machine.parts or {}), #machine.traffic + 1, machine.traffic)
    for _, count in ipairs(machine.counts) do
        count.boundary = count.quantity
        machine.traffic[#machine.traffic + 1] = count
    end
    for _, entry in ipairs(machine.traffic) do
        entry.line, entry.file = entry.line or line_of[entry], entry.file or argument.file
    end
    machine.parts, machine.counts, machine.alike = nil, nil, nil
    return machine
end

return schema
