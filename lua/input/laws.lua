-- laws.lua - reads laws between counters (groups/ARCH/pmu.laws, and a user's files): relations that hold for any program.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- '#' begins a comment. Lines that start at the first column:
--     each core | each box | each domain | each socket | whole node     where the following laws are checked: counts of hardware
--                                                    threads and boxes are summed up to this unit
--     from TEXT                                      source of the following laws
--     NAME: SUM = SUM        or <= or >=             a law; SUM is a formula of events and constants (CONSTANTS), linear in events
-- Indented lines after a law: "+ ..", "- ..", "= ..", "<= .." or ">= .." continue the law;
--     why TEXT               its reason
--     native no, TEXT        it holds on the virtual node only, and why; native within P %, TEXT: its tolerance on native nodes
-- Any other indented line continues the text above.
local array = require "input.array"
local formula = require "input.formula"
local line_file = require "input.line_file"
local linear_form = require "input.linear_form"

local laws = {}

local fail = line_file.fail

-- Names that laws may use in addition to events: sizes of the node, measured time, number of measured threads. clock_hz and walk_latency
-- (in cycles) have no value on a native node.
laws.CONSTANTS = { line_bytes = true, lines_L1 = true, lines_L2 = true, lines_L3 = true, seconds = true, threads = true, clock_hz = true,
    walk_latency = true }

local SCOPES = { ["each core"] = "core", ["each box"] = "box", ["each domain"] = "domain", ["each socket"] = "socket",
    ["whole node"] = "node" }

-- One side of a law, parsed; collects its events.
local function side(state, law, text)
    local ok, parsed = pcall(formula.parse, text)
    if not ok then
        fail(state, law.line, "%s", parsed)
    end
    local ones = {}
    for _, name in ipairs(parsed.names) do
        if not linear_form.is_event(name) then
            if not laws.CONSTANTS[name] then
                fail(state, law.line, "'%s' is no constant of laws, and events begin with a capital letter", name)
            end
            ones[name] = 1
        elseif not law.seen[name] then
            law.seen[name], law.events[#law.events + 1] = true, name
        end
    end
    local form, why = linear_form.of(parsed, ones)
    if not form then
        fail(state, law.line, "law '%s': %s; a law is a sum of events with factors", law.name, why)
    end
    return parsed
end

local function finish(state)
    local law = state.law
    if not law then
        return
    end
    -- The '=' in an event's options has no blanks around it.
    local left, relation, right = law.text:match "^(.-)%s+([<>]?=)%s+(.*)$"
    if not left then
        fail(state, law.line, "law '%s' has no =, <= or >=", law.name)
    elseif not law.why then
        fail(state, law.line, "law '%s' has no reason: a line 'why ..' says why it must hold", law.name)
    end
    law.relation, law.left, law.right = relation, side(state, law, left), side(state, law, right)
    if not law.events[1] then
        fail(state, law.line, "law '%s' has no event", law.name)
    end
    law.text = law.text:gsub("%s+", " ")
    law.seen, law.last, state.law = nil, nil, nil
    local place = state.places[law.name] or #state.laws + 1
    state.places[law.name], state.laws[place] = place, law
end

-- Reads a line that starts at the first column.
local function take_head(state, number, line)
    finish(state)
    local scope, source, name, text = SCOPES[line], line:match "^from%s+(%S.*)$", line:match "^([%w][%w ,-]*):%s+(%S.*)$"
    if scope then
        state.scope = scope
    elseif source then
        state.source = source
    elseif not name then
        fail(state, number, "a line is 'NAME: SUM = SUM', 'each core', 'from TEXT' or indented, not '%s'", line)
    elseif not state.scope then
        fail(state, number, "law '%s' stands before any 'each core', 'each box', 'each domain', 'each socket' or 'whole node'", name)
    elseif not state.source then
        fail(state, number, "law '%s' stands before any 'from ..': who says so", name)
    elseif state.known[name] then
        fail(state, number, "law '%s' is given twice, first at line %d", name, state.known[name])
    else
        state.known[name] = number
        state.law = { name = name, text = text, scope = state.scope, source = state.source, line = number, file = state.file, seen = {},
            events = array(), last = "text" }
    end
end

local function take_native(state, law, number, text)
    local within, why = text:match "^within%s+([%d.]+)%s*%%,%s*(%S.*)$"
    local no = text:match "^no,%s*(%S.*)$"
    if not no and not tonumber(within) then
        fail(state, number, "it is 'native no, WHY' or 'native within P %%, WHY', not 'native %s'", text)
    end
    law.virtual_only, law.within_pct, law.native, law.last = no ~= nil, tonumber(within), no or why, "native"
end

-- Reads an indented line.
local function take_rest(state, number, line)
    local law = state.law
    local word, text = line:match "^(%l+)%s+(%S.*)$"
    if not law then
        fail(state, number, "'%s' is indented, but stands behind no law", line)
    elseif word == "why" then
        law.why, law.last = text, "why"
    elseif word == "native" then
        take_native(state, law, number, text)
    elseif line:find "^[-+=<>]" and law.last == "text" or law.last ~= "text" then
        law[law.last] = law[law.last] .. " " .. line
    else
        fail(state, number, "behind a law stands 'why', 'native', or an operator that goes on with it, not '%s'", line)
    end
end

local function read_file(state)
    line_file.each(state, function(line, number)
        local take = line:find "^%s" and take_rest or take_head
        take(state, number, line:match "%S.*")
    end)
    finish(state)
end

-- { files = array of { text =, file = } } -> array of { name =, text = as in the file, scope =, relation = "=" "<=" ">=", left =, right =
-- (formula.parse()), events = array of names with options, why =, source =, virtual_only =, within_pct = |nil, native = |nil, file =,
-- line = }. A law replaces one of the same name in an earlier file. Raises "file:line: what".
function laws.read(argument)
    local found, places = array(), {}
    for _, one in ipairs(argument.files) do
        read_file { text = one.text, file = one.file, laws = found, places = places, known = {} }
    end
    return found
end

-- { text =, file = } of one file -> { about = a summary line }
function laws.summary(argument)
    local found, both = laws.read { files = { argument } }, 0
    for _, law in ipairs(found) do
        both = both + (law.virtual_only and 0 or 1)
    end
    return { about = ("%d laws between counters, %d of them on silicon, too"):format(#found, both) }
end

return laws
