-- event_table.lua - reads an event table of LIKWID's sources, and computes what LIKWID's generator compiles from it.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A table is a text of lines EVENT_NAME CODE LIMIT, UMASK_NAME MASK [CFG CMASK], DEFAULT_OPTIONS_NAME OPTION=VALUE,.. and OPTIONS_NAME
-- OPTION|... An event is a UMASK line; code and limit are those of the EVENT line above it. The generator matches lines with patterns of
-- upper-case letters and digits: it skips other EVENT and UMASK lines without a word, and cuts numbers at the first lower-case digit.
local event_table = {}

local NUMBER = "(0x[%dA-F]+)"
local EVENT = "EVENT_([%u%d_]*) +" .. NUMBER .. " +([%u%d|]+)"
local UMASK = "UMASK_([%u%d_]*) *" .. NUMBER
local CFG_AND_CMASK = "UMASK_[%u%d_]* *0x[%dA-F]+ *" .. NUMBER .. " *" .. NUMBER
local DEFAULTS = "DEFAULT_OPTIONS_([%u%d_]*) *([x%u%d_=,]*)"

-- The usual form of a line, for which both views are equal.
local PLAIN_UMASK = "^UMASK_([%u%d_]+) +(0x[%dA-F]+)$"
local PLAIN_EVENT = "^EVENT_([%u%d_]+) +(0x[%dA-F]+) +([%u%d|]+)$"

-- The generator's view of a line: its kind and fields; nil if it skips the line.
local function compiled(line)
    local name, first, rest = line:match(EVENT)
    if name then
        return "event", name, first, rest
    end
    name, first = line:match(UMASK)
    if name then
        return "umask", name, first
    end
    name, rest = line:match(DEFAULTS)
    if name then
        return "defaults", name, rest
    end
end

-- The writer's view: the keyword at the line's start, the name, and the words behind it.
local function written(line)
    local keyword, name, rest = line:match "^%s*(%u+[_%u]-)_([%w_]+)%s*(.-)%s*$"
    for _, known in ipairs { "DEFAULT_OPTIONS", "OPTIONS", "EVENT", "UMASK" } do
        local own, words = line:match("^%s*" .. known .. "_([%w_]+)%s*(.-)%s*$")
        if own then
            return known, own, words
        end
    end
    return keyword and "?" or nil, name, rest
end

local NAMES = { EDGE = "EDGEDETECT" } -- options that likwid-perfctr names otherwise

local function options_of(text)
    local options = {}
    for name, value in text:gmatch "EVENT_OPTION_([%u%d_]+)=(%w+)" do
        options[NAMES[name] or name] = tonumber(value)
    end
    return options
end

local CFG_BITS = { EDGEDETECT = 0x04, ANYTHREAD = 0x20, INVERT = 0x80 } -- bits 16 to 23 of a core's select
local NO_CFG = 0xFF
local OFFCORE = { ["0xB7"] = true, ["0xBB"] = true } -- there they are numbers of bits in another register

-- Adds what CFG and CMASK of a UMASK line set. What CFG means for a box, only LIKWID's setup code defines.
local function add_cfg(options, event, cfg, cmask)
    if event.limit:find "^PMC" and cfg ~= 0 and cfg ~= NO_CFG and not OFFCORE[event.code] then
        for option, bit in pairs(CFG_BITS) do
            options[option] = options[option] or cfg & bit ~= 0 and 1 or nil
        end
        options.THRESHOLD = options.THRESHOLD or cmask ~= 0 and cmask or nil
    elseif not event.limit:find "^PMC" then
        options.CFG = cfg ~= 0 and cfg or nil
    end
end

local function add_umask(state, name, umask, line)
    local event = state.event
    local cfg, cmask = line:match(CFG_AND_CMASK)
    local fits = state.defaults and name:find(state.defaults.name, 1, true)
    state.defaults_used = state.defaults_used or fits
    state.events[#state.events + 1] = {
        name = name, umask = tonumber(umask), code = tonumber(event.code), limit = event.limit, line = state.line,
        options = fits and options_of(state.defaults.text) or {}, of = event.name, key = event.key,
        defaults = fits and state.defaults or nil,
    }
    if cfg then
        add_cfg(state.events[#state.events].options, event, tonumber(cfg), tonumber(cmask))
    end
end

-- A line as both views see it. Constructors with all fields: tables that grow field by field take twice the time.
local function read_line(number, line)
    local name, first = line:match(PLAIN_UMASK)
    if name then
        return { line = number, text = line, keyword = "UMASK", name = name, words = first, compiled = "umask", value = first },
            name, first
    end
    local rest
    name, first, rest = line:match(PLAIN_EVENT)
    if name then
        return { line = number, text = line, keyword = "EVENT", name = name, words = first .. " " .. rest, compiled = "event",
            value = first }, name, first, rest
    end
    local keyword, own, words = written(line)
    local kind
    kind, name, first, rest = compiled(line)
    return { line = number, text = line, keyword = keyword, name = own, words = words, compiled = kind, value = first },
        name, first, rest
end

-- { text =, file = } -> { file =, lines = { { line =, keyword =, name =, words =, compiled = kind |nil } .. } of all lines that are
-- neither blank nor comments, events = what is compiled: { { name =, code =, umask =, limit =, options = {}, line =, of = name of the
-- EVENT line, key = what that line says, defaults = { name =, line = } |nil } .. } }
function event_table.read(argument)
    local state = { line = 0, lines = {}, events = {}, event = { name = "", code = "0x00", limit = "", key = "" } }
    for line in argument.text:gsub("\r\n", "\n"):gmatch "[^\n]*" do
        state.line = state.line + 1
        if not line:find "^#" and line:find "%S" then
            local one, name, first, rest = read_line(state.line, line)
            local kind = one.compiled
            state.lines[#state.lines + 1] = one
            if kind == "event" then
                state.event = { name = name, code = first, limit = rest, key = name .. first .. rest }
            elseif kind == "umask" then
                add_umask(state, name, first, line)
            elseif kind == "defaults" then
                state.defaults = { name = name, text = first, line = state.line }
            end
        end
    end
    return { file = argument.file, lines = state.lines, events = state.events }
end

-- The first event of each name, in the form of event_list.selects().
function event_table.selects(events)
    local found = {}
    for _, event in ipairs(events) do
        local fixed = event.limit:match "^FIXC(%d)$"
        found[event.name] = found[event.name] or event.limit ~= ""
            and { code = tonumber(fixed) or event.code, umask = fixed and 0 or event.umask, options = event.options } or nil
    end
    return found
end

return event_table
