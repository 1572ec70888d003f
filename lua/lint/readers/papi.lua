-- papi.lua - PAPI's preset files (papi_events.csv, PAPI_USER_EVENTS_FILE). SPDX-License-Identifier: GPL-3.0-or-later
--
--     CPU,NAME              presets of a processor follow; several lines name several processors
--     PRESET,NAME,DERIVATION[,OPERATIONS],EVENT,..[,NOTE|SDESC|LDESC,TEXT ..]    or EVENT instead of PRESET
--
-- Each preset is a group of one metric, whose counters are N0, N1, ...
local formula = require "input.formula"
local lists = require "input.lists"
local neutral = require "lint.readers.neutral"

local papi = {}

local WORDS = {
    set = "the preset", undefined = "PAPI adds a counter that is not programmed",
    unread = "PAPI computes another number, or ends the program",
    left_out = "PAPI leaves the preset out",
    table = "papiStdEventDefs.h", unknown = "PAPI leaves the preset out", twice = "PAPI takes this one",
}
local TEXTS = { NOTE = true, SDESC = true, LDESC = true }

local JOIN = { DERIVED_ADD = "+", DERIVED_ADD_PS = "+", DERIVED_SUB = "-" }
local DERIVATIONS = lists.set { "NOT_DERIVED", "DERIVED_ADD", "DERIVED_ADD_PS", "DERIVED_SUB", "DERIVED_PS", "DERIVED_POSTFIX",
    "DERIVED_INFIX", "DERIVED_CMPD" }

function papi.is(text)
    text = "\n" .. text
    return text:find "\nCPU,%w" ~= nil or text:find "\nPRESET,%w+,%u+_" ~= nil or text:find "\nEVENT,%w+,%u+_" ~= nil
end

local APPLY = { ["+"] = true, ["-"] = true, ["*"] = true, ["/"] = true }

local function operand(word)
    return word:find "^N%d+$" and { op = "name", name = word } or word:find "^%d+$" and { op = "number", value = tonumber(word) }
        or word == "#" and { op = "name", name = "inverseClock" } or nil
end

-- "N0|N1|2|*|+" -> as formula.parse; nil and the reason for what PAPI cannot compute.
local function postfix(text)
    local stack, names = {}, {}
    for word in text:gmatch "[^|%s]+" do
        local right, left = table.remove(stack), nil
        if APPLY[word] then
            left = table.remove(stack)
            stack[#stack + 1] = left and { op = word, left = left, right = right }
        else
            stack[#stack + 1] = right
            local value = operand(word)
            if not value then
                return nil, ("'%s' is no operand: N and a digit, a whole number, or #"):format(word)
            end
            names[#names + 1] = value.name
            stack[#stack + 1] = value
        end
        if APPLY[word] and not left then
            return nil, ("'%s' lacks an operand"):format(word)
        end
    end
    if #stack ~= 1 then
        return nil, ("%d operands remain instead of one"):format(#stack)
    end
    return { tree = stack[1], names = names }
end

local function formula_of(derivation, operations, count)
    if derivation == "DERIVED_POSTFIX" then
        return postfix(operations)
    elseif derivation == "DERIVED_INFIX" then
        local ok, parsed = pcall(formula.parse, operations)
        return ok and parsed or nil, parsed
    end
    local names = {}
    for i = 1, count do
        names[i] = "N" .. i - 1
    end
    return JOIN[derivation] and formula.parse(table.concat(names, JOIN[derivation])) or neutral.opaque("N0", names)
end

local function read_preset(file, line, words, arch, is_preset)
    local name, derivation = words[1] or "", (words[2] or ""):upper()
    local one = neutral.new(file, name, WORDS)
    one.arch, one.is_preset = arch, is_preset
    local first = derivation:find "FIX$" and 4 or 3
    for i = first, #words do
        if TEXTS[words[i]:upper()] then
            break
        end
        neutral.add_event(one, line, "N" .. i - first, words[i])
    end
    local operations = first == 4 and words[3] or ""
    if not DERIVATIONS[derivation] or #one.events == 0 then
        local text = DERIVATIONS[derivation] and "%s has no event" or "%s: '%s' is no derivation"
        neutral.note(one, line, "metric line", text, name, derivation)
        return one
    end
    local parsed, reason = formula_of(derivation, operations, #one.events)
    if parsed then
        local is_rate = name:find "_[FSDH]P_OPS$"
        neutral.add_metric(one, { line = line, name = name, formula = operations, parsed = parsed, is_flops = is_rate ~= nil })
    else
        neutral.note(one, line, "formula", "%s: %s", name, reason)
    end
    return one
end

-- A preset that one processor's lines define twice: PAPI takes the last.
local function note_twice(one, known, line, text)
    local before = known[one.name]
    if before and before.text ~= text then
        neutral.note(one, line, "metric twice", "%s is defined otherwise in line %d, for the same processor", one.name, before.line)
    end
    known[one.name] = { line = line, text = text }
end

function papi.read(file)
    local groups, number, arch, known = {}, 0, "", {}
    local is_head, is_component = false, false
    for line in (file.text .. "\n"):gmatch "(.-)\r?\n" do
        number = number + 1
        local word, rest = line:match "^%s*(%a+)%s*,%s*(.-)%s*$"
        local kind = word and word:upper()
        if kind == "CPU" then
            arch, known = is_head and arch or rest, is_head and known or {}
            is_component = false
        elseif kind == "PRESET" or kind == "EVENT" then
            local words = {}
            for field in (rest .. ","):gmatch "%s*([^,]-)%s*," do
                words[#words + 1] = field ~= "" and field or nil
            end
            local one = read_preset(file, number, words, arch, kind == "PRESET" and not is_component)
            note_twice(one, known, number, rest)
            groups[#groups + 1] = one
        end
        is_head = kind == "CPU" or is_head and (line:find "^%s*#" or not line:find "%S")
        is_component = is_component or kind ~= nil and kind ~= "PRESET" and kind ~= "EVENT" and kind ~= "CPU"
    end
    return groups
end

-- The presets that PAPI knows, from papiStdEventDefs.h among the companions: { presets = set, .. } for the rules; {} without it.
function papi.architecture(files)
    local header = lists.find(files, function(file) return file.file:find "papiStdEventDefs%.h$" end)
    local names = {}
    for name in (header and header.text or ""):gmatch "#define%s+(PAPI_[%w_]+)%s+%(PAPI_[%w_]+_idx" do
        names[name] = true
    end
    return next(names) and { presets = names, table = true, selects = names, limits = {},
        names_events = function(event) return event.event:find "^PAPI_" end } or {}
end

return papi
