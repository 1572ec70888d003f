-- patterns.lua - the overview of patterns (overview.lua) as lines of text.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local patterns = {}

local WIDTH = 100

-- "  label  item, item, .." in lines of the given width; a longer item is not broken.
local function add(lines, label, items, separator)
    if #items == 0 then
        return
    end
    local line = ("  %-10s"):format(label)
    for i, item in ipairs(items) do
        local part = " " .. item .. (i < #items and separator or "")
        if #line + #part > WIDTH and i > 1 then
            lines[#lines + 1] = line
            line = (" "):rep(12)
        end
        line = line .. part
    end
    lines[#lines + 1] = line
end

-- { patterns = overview.make(), node = the node's name } -> { text = lines that end with a newline }; each line that does not begin with a
-- blank names a pattern.
function patterns.render(argument)
    local lines = {}
    for _, one in ipairs(argument.patterns) do
        lines[#lines + 1] = ("%-24s  %s (%s)"):format(one.name, one.title, one.class)
        local shown = lists.collect(one.quantities, function(quantity) return #quantity.groups > 0 and quantity.name end)
        add(lines, "codes", one.codes, ",")
        add(lines, "quantities", shown, ",")
        add(lines, "groups", one.groups, ",")
        add(lines, "runs", { (one.runs and table.concat(one.places, ", ") .. " of " or "not on ") .. argument.node }, "")
        for _, reason in ipairs(lists.append(lists.joined(one.reasons), one.quantities, "reason")) do
            add(lines, "not", lists.words(reason), "")
        end
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return patterns
