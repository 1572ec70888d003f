-- transposed.lua - a unit mask whose digits are exchanged. SPDX-License-Identifier: GPL-3.0-or-later
--
-- If all masks of an EVENT use the high digit (0x10, 0x20, ..) but one, or all use the low digit but one, that one's digits were exchanged,
-- unless another event has the exchanged mask.
local lists = require "input.lists"

local LEAST = 4 -- masks of one form that make it a rule

local function mirror(mask)
    return (mask & 0xF) << 4 | mask >> 4 & 0xF
end

-- In one digit: "0x.0" or "0x0."; nil for others.
local function form(mask)
    return mask > 0 and mask < 0x100 and (mask & 0xF == 0 and "high" or mask < 0x10 and "low") or nil
end

local function check_family(family, masks, say)
    local _, by_form = lists.group(family, function(event) return form(event.umask) or "other" end)
    for one, other in pairs { high = "low", low = "high" } do
        local alone = by_form[other] and #by_form[other] == 1 and by_form[other][1]
        local usual = by_form[one] or {}
        if alone and #usual >= LEAST and #usual == #family - 1 and not masks[mirror(alone.umask)] then
            say(alone.line, ("%s is 0x%02x, its %d neighbours have the other digit; nothing has 0x%02x"):format(alone.name, alone.umask,
                #usual, mirror(alone.umask)), "the event counts something else")
        end
    end
end

return {
    name = "transposed", class = "S18", severity = "error", about = "table",
    title = "a unit mask has its digits exchanged",
    check = function(one, say)
        for _, events in ipairs(lists.filter(lists.group(one.events, "key"), function(events) return #events > LEAST end)) do
            local masks = lists.set(events, "umask")
            local families = lists.group(events, function(event) return event.name:match "^(.*)_" or "" end)
            for _, family in ipairs(families) do
                check_family(family, masks, say)
            end
        end
    end,
}
