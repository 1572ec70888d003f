-- laws.lua - selects the laws that can be checked on a node, and the events to count for them: wants of program/plan/program.lua.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- laws.wants{ laws = input.laws.read(), list = input.event_list.read(), node = } -> { laws = laws that can be checked, wants =,
-- left_out = array of { name =, reason = } }
local array = require "input.array"
local input = require "input.laws"
local lists = require "input.lists"

local laws = {}

-- The name of an event as in laws -> event and options.
function laws.parts(name)
    return name:match "^([%w_]+):?(.*)$"
end

-- The reason why the law cannot be checked on the node; nil if it can.
local function reason_of(law, known, node)
    if law.virtual_only and node.kind ~= "virtual" then
        return "it holds on the virtual node only: " .. law.native
    end
    for _, name in ipairs(law.events) do
        if not known[laws.parts(name)] then
            return laws.parts(name) .. ": LIKWID knows no such event here"
        end
    end
    return nil
end

local function want_of(law)
    local want = { name = law.name, events = array() }
    for i, name in ipairs(law.events) do
        local event, options = laws.parts(name)
        want.events[i] = { event = event, options = options }
    end
    return want
end

function laws.wants(argument)
    local known = lists.set(argument.list, "event")
    local found = { laws = array(), wants = array(), left_out = array() }
    for _, law in ipairs(argument.laws) do
        local reason = reason_of(law, known, argument.node)
        if reason then
            table.insert(found.left_out, { name = law.name, reason = reason })
        else
            table.insert(found.laws, law)
            table.insert(found.wants, want_of(law))
        end
    end
    return found
end

-- The same with files = input.laws.read's instead of laws.
function laws.of_files(argument)
    return laws.wants { laws = input.read(argument), list = argument.list, node = argument.node }
end

return laws
