-- components.lua - violated items that something links, a metric or an event that is not right elsewhere: they are explained together.
-- SPDX-License-Identifier: GPL-3.0-or-later
local hypotheses = require "judge.blame.hypotheses"

local components = {}

-- What violated items have in common that may be to blame for them: their metric, and events whose counts are not right elsewhere.
local function links(item, known)
    local keys = { "metric " .. item.metric }
    for _, event in ipairs(hypotheses.events_of(known, item)) do
        keys[#keys + 1] = "event " .. event
    end
    return keys
end

-- known = hypotheses.survey -> array of arrays of items; those without counts are left out.
function components.split(known)
    local parent, found, by_root = {}, {}, {}
    local function root(key)
        while parent[key] ~= key do
            key = parent[key]
        end
        return key
    end
    local list = {}
    for _, item in ipairs(known.items) do
        list[#list + 1] = item.violated and #item.rows > 0 and item or nil
    end
    for _, item in ipairs(list) do
        local keys = links(item, known)
        for _, key in ipairs(keys) do
            parent[key] = parent[key] or key
            parent[root(key)] = root(keys[1])
        end
    end
    for _, item in ipairs(list) do
        local own = root("metric " .. item.metric)
        if not by_root[own] then
            by_root[own] = {}
            found[#found + 1] = by_root[own]
        end
        table.insert(by_root[own], item)
    end
    return found
end

return components
