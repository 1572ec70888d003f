-- group.lua - reads one LIKWID performance group file.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The format is that of LIKWID's own reader: a section starts with a word at the start of a line (SHORT, EVENTSET, METRICS, LUA,
-- LONG); '#' starts a comment line; a blank line ends EVENTSET and METRICS; an event line is COUNTER[:OPTION[=VALUE]..] EVENT;
-- the last blank-separated word of a metric line is the formula. LIKWID ignores what it does not understand. Here that is an
-- error, because an event on a skipped line would silently not be counted.
local array = require "input.array"
local formula = require "input.formula"
local lists = require "input.lists"

local group = {}

local SECTIONS = { S = { "SHORT" }, E = { "EVENTSET" }, M = { "METRICS" }, L = { "LONG", "LUA" }, R = { "REQUIRE_NOHT" } }
local LINE_MAX = 1022 -- characters; limit of LIKWID 5.2's reader
local LINE_MOST = 4094 -- and of the newest one's, for linted groups of others

-- `kind` names the defect for whoever notes all of them (group.parse_noting).
local function fail(state, kind, text, ...)
    text = text:format(...)
    if state.notes then
        state.notes[#state.notes + 1] = { line = state.line, kind = kind, text = text }
    end
    error(("%s:%d: %s"):format(state.file, state.line, text), 0)
end

local function starts_section(line)
    return lists.find(SECTIONS[line:sub(1, 1)] or {}, function(word) return line:sub(1, #word) == word end)
end

local function add_event(state, line)
    local counter, event, rest = line:match("^%s*(%S+)%s+(%S+)%s*(.-)%s*$")
    if not counter or rest ~= "" then
        fail(state, "event line", "an event line is 'COUNTER EVENT', not '%s'", line)
    end
    local name, options = counter:match("^([%w_]+)(.*)$")
    if not name or (options ~= "" and not options:match("^:[%w_:=]+$")) then
        fail(state, "event line", "'%s' is no counter", counter)
    end
    if state.seen[counter] then
        fail(state, "counter twice", "counter %s is used twice", counter)
    end
    state.seen[counter] = true
    state.events[#state.events + 1] = { name = counter, counter = name, event = event, options = options:sub(2),
        line = state.notes and state.line }
end

local function add_metric(state, line)
    local title, text = line:match("^%s*(.-)%s+(%S+)%s*$")
    if not title or title == "" then
        fail(state, "metric line", "a metric line is 'NAME [UNIT] FORMULA', not '%s'", line)
    elseif title:find "[%+%-%*/%(]$" or text:find "^[%+%-%*/%)]" then
        fail(state, "formula", "there is a blank in the formula: LIKWID takes '%s' alone for it", text)
    elseif state.titles[title] then
        fail(state, "metric twice", "metric '%s' is there twice", title)
    end
    state.titles[title] = true
    local ok, parsed = pcall(formula.parse, text)
    if not ok then
        fail(state, "formula", "%s", parsed)
    end
    for _, name in ipairs(parsed.names) do
        if not state.notes and not state.seen[name] and not formula.NO_COUNTERS[name] then
            fail(state, "undefined counter", "metric '%s' uses %s, which EVENTSET does not program", title, name)
        end
    end
    local name, unit = title:match("^(.-)%s*%[([^%]]*)%]$")
    if name == "" and not state.notes then
        fail(state, "metric line", "a metric line is 'NAME [UNIT] FORMULA', not '%s'", line)
    end
    state.metrics[#state.metrics + 1] = { name = name or title, unit = unit, formula = text,
        line = state.notes and state.line, parsed = state.notes and parsed }
end

-- The same, but for a group that is checked metric by metric an error is recorded instead of raised.
local function add_metric_or_note(state, line)
    if not state.broken then
        return add_metric(state, line)
    end
    local ok, message = pcall(add_metric, state, line)
    if not ok then
        local name = line:match "^%s*(.-)%s*%[" or line:match "^%s*(.-)%s+%S+%s*$" or line
        state.broken[#state.broken + 1] = { name = name, reason = message }
    end
end

local ADD = { EVENTSET = add_event, METRICS = add_metric_or_note }

local function enter(state, section, line)
    state.section = section
    if section == "SHORT" then
        state.short = line:match("^SHORT%s+(.-)%s*$")
        if not state.short then
            fail(state, "section", "SHORT needs a title")
        end
        state.section = nil
    elseif section == "REQUIRE_NOHT" then
        state.section = nil
    end
end

local function take_line(state, line)
    if line:find "[^\t%C]" then
        fail(state, "control character", "a control character stands in the line")
    end
    if state.section == "LONG" then
        state.long[#state.long + 1] = line
        state.long_line = state.long_line or state.line
        return
    end
    if #line > (state.notes and LINE_MOST or LINE_MAX) then
        fail(state, "long line", "LIKWID reads lines of at most %d characters", LINE_MAX)
    end
    local section = starts_section(line)
    if section then
        enter(state, section, line)
    elseif line:sub(1, 1) == "#" or state.section == "LUA" then
        return
    elseif line:match("^%s*$") then
        state.section = nil
    elseif not state.section then
        fail(state, "section", "'%s' is outside of any section: LIKWID ignores it (a blank line ends a section)", line)
    else
        ADD[state.section](state, line)
    end
end

-- The name of a counter or event with its options, as in group files and results.
function group.with_options(name, options)
    return options ~= "" and name .. ":" .. options or name
end

-- Key of a group's event in sums of events: its name with options.
function group.key(event)
    return group.with_options(event.event, event.options)
end

-- The group's metric of that name; nil if there is none.
function group.metric(one, name)
    return lists.find(one.metrics, function(metric) return metric.name == name end)
end

-- Set of the counters in a metric's formula, as far as the node has them (boxes.fit).
function group.counters(metric)
    return lists.set((metric.parsed or formula.parse(metric.formula)).names)
end

-- The events in a metric's formula, and those for which also(event) is true, in the group's order.
function group.events_of(one, metric, also)
    local used = group.counters(metric)
    return lists.filter(one.events, function(event) return used[event.name] or also and also(event) end)
end

local function check_sections(state)
    local metric = state.metrics[1] or state.broken and state.broken[1]
    for _, need in ipairs { { "SHORT", state.short }, { "EVENTSET", state.events[1] }, { "METRICS", metric } } do
        if not need[2] then
            fail(state, "section", "the group has no %s", need[1])
        end
    end
end

-- { text =, file = } -> { name =, short =, long =, events = { { name = "CBOX0C1:STATE=0x1", counter = "CBOX0C1", event =,
-- options = "STATE=0x1" } .. }, metrics = { { name =, unit = text|nil, formula = } .. } }. The group's name is the file's.
-- Raises "file:line: what".
function group.parse(argument)
    local state = { file = argument.file, line = 0, seen = {}, titles = {}, long = {}, events = array(), metrics = array(),
        broken = argument.broken, notes = argument.notes }
    local take = state.notes and function(...) return pcall(take_line, ...) end or take_line
    for line in (argument.text .. "\n"):gsub("\n\n$", "\n"):gmatch("([^\n]*)\n") do
        state.line = state.line + 1
        take(state, line:byte(-1) == 13 and line:sub(1, -2) or line)
    end
    if state.notes then
        pcall(check_sections, state)
    else
        check_sections(state)
    end
    return { name = argument.file:match("([^/]+)%.txt$") or argument.file, short = state.short, long = table.concat(state.long, "\n"),
        events = state.events, metrics = state.metrics, broken = state.broken, notes = state.notes,
        long_line = state.notes and state.long_line }
end

-- The same, but wrong metrics are left out and listed in broken = array of { name =, reason = "file:line: what" }.
function group.parse_each(argument)
    return group.parse { text = argument.text, file = argument.file, broken = array() }
end

-- The same for a linter: every line is read, and what parse() refuses is listed in notes = array of { line =, kind =, text = }. Events
-- and metrics have their `line`, metrics their formula as `parsed`, whose counters may be undefined.
function group.parse_noting(argument)
    return group.parse { text = argument.text, file = argument.file, notes = array() }
end

return group
