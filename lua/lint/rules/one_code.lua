-- one_code.lua - two events share a code and a unit mask that other tables tell apart. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local LEAST = 2 -- other tables that tell the two apart
local COPIES = 1 / 3 -- largest share of other tables with the same fault

-- "INSTR_RETIRED", "INST_RETIRED": two spellings of one name
local function are_spellings(a, b)
    local next_word = b:gmatch "[^_]+"
    for word in a:gmatch "[^_]+" do
        local other = next_word() or "-"
        if word:sub(1, #other) ~= other and other:sub(1, #word) ~= word then
            return false
        end
    end
    return next_word() == nil
end

-- { [EVENT] = { code =, line =, events = { [name behind the EVENT's] = event } } } of a table; an EVENT with several codes is left out.
local function events_of(one)
    local found = {}
    for _, event in ipairs(one.events) do
        local known = found[event.of] or { of = event.of, code = event.code, line = event.line, kind = event.limit:match "%a+",
            events = {} }
        found[event.of] = known
        if known.code ~= event.code then
            known.code = nil
        elseif event.name:sub(1, #event.of) == event.of then
            known.events[event.name:sub(#event.of + 1)] = event
        end
    end
    return found
end

local function are_equal(a, b)
    for option, value in pairs(a.options) do
        if b.options[option] ~= value then
            return false
        end
    end
    return a.umask == b.umask and (next(a.options) ~= nil) == (next(b.options) ~= nil)
end

-- Do two entries with one code have an event with the same name, mask and options?
local function are_one(a, b)
    for name, event in pairs(a.events) do
        if b.events[name] and are_equal(event, b.events[name]) then
            return not are_spellings(a.of, b.of) -- once, because it is slow
        end
    end
    return false
end

-- The other tables that have both events with different codes; none if too many have them with the same.
local function tell_apart(one, all, a, b)
    local apart, same = {}, 0
    for _, other in ipairs(all) do
        local x, y = other.known[a.of], other.known[b.of]
        if x and y and x.code and y.code and other ~= one then
            same = same + (x.code == y.code and 1 or 0)
            apart[#apart + 1] = x.code ~= y.code and { x = x, y = y } or nil
        end
    end
    return same <= COPIES * #apart and apart or {}
end

-- Reports the event whose code is not the usual one, once.
local function check_pair(one, all, a, b, say, said)
    local apart = are_one(a, b) and tell_apart(one, all, a, b) or {}
    local is_first = lists.count(apart, function(other) return other.x.code == a.code end)
        < lists.count(apart, function(other) return other.y.code == b.code end)
    local wrong = is_first and a or b
    if #apart >= LEAST and not said[wrong] then
        said[wrong] = true
        say(one, wrong.line, ("EVENT_%s and EVENT_%s have the code 0x%02x and a unit mask in common; %d other tables tell them apart")
            :format(a.of, b.of, a.code, #apart), "one of the two counts the other's quantity")
    end
end

return {
    name = "one-code", class = "S17", severity = "error", about = "tables",
    title = "two events have one code, and different ones in other architectures' tables",
    check = function(tables, say)
        local all = lists.map(tables, function(one) return { file = one.file, known = events_of(one) } end)
        for _, one in ipairs(all) do
            local named, said = lists.map(lists.sorted(one.known), function(name) return one.known[name] end), {}
            for _, same in ipairs(lists.group(named, function(event)
                return event.code and ("%d %s"):format(event.code, event.kind) or event.of
            end)) do
                for i = 1, #same do
                    for k = i + 1, #same do
                        check_pair(one, all, same[i], same[k], say, said)
                    end
                end
            end
        end
    end,
}
