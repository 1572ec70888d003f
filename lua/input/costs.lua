-- costs.lua - reads what an event costs: cycles of an event of each quantity (groups/ARCH/pmu.costs).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- '#' begins a comment. Every other line is the cost of a quantity (plan/quantity.lua):
--     NAME = LOW .. HIGH; SOURCE                               cycles that one event costs at least and at most, as documented
--     NAME = LOW .. HIGH; virtual FORMULA .. FORMULA; SOURCE   a virtual node's time model has this cost (CONSTANTS)
--     NAME = LOW .. HIGH; pipeline; SOURCE                     only a virtual node with pipelines gives such events time
-- Without either word the time model gives such events no time.
local formula = require "input.formula"
local line_file = require "input.line_file"

local costs = {}

-- Names that formulas of virtual nodes may use: cycles of an instruction, of an access that a level serves, of memory (of this and of
-- another socket), a page walk, a misprediction, and a thread's turn: a line that threads share moves once a turn, however often they
-- use it.
costs.CONSTANTS = { instruction = true, turn = true, L2 = true, L3 = true, memory = true, remote = true, walk = true, branch = true }

local function virtual_of(text, fail_here)
    local low, high = text:match "^(.-) %.%. (.+)$"
    local found = { low = low or text, high = high or text }
    for _, one in pairs(found) do
        local ok, parsed = pcall(formula.parse, one)
        if not ok then
            fail_here("%s", parsed)
        end
        for _, name in ipairs(parsed.names) do
            if not costs.CONSTANTS[name] then
                fail_here("'%s' is no cost of the time model (lua/input/costs.lua)", name)
            end
        end
    end
    return found
end

local function cost_of(line, fail_here)
    local name, low, high, rest = line:match "^(%S.-) = ([%d.]+) %.%. ([%d.]+); (.+)$"
    low, high = tonumber(low), tonumber(high)
    if not low or not high or low > high then
        fail_here("'%s' is not NAME = LOW .. HIGH; SOURCE", line)
    end
    local virtual, source = rest:match "^virtual (.-); (.+)$"
    local in_pipeline = rest:match "^pipeline; (.+)$"
    return name, { low = low, high = high, virtual = virtual and virtual_of(virtual, fail_here), in_pipeline = in_pipeline and true,
        source = source or in_pipeline or rest }
end

-- files = array of { text =, file = } -> { [quantity] = { low =, high = cycles, virtual = { low =, high = formulas } |nil,
-- in_pipeline = true |nil, source = } };
-- a later file replaces costs of an earlier one. Raises "file:line: what".
function costs.read(files)
    local found = {}
    for _, one in ipairs(files) do
        line_file.each(one, function(line, number)
            local name, cost = cost_of(line, function(...) line_file.fail(one, number, ...) end)
            found[name] = cost
        end)
    end
    return found
end

return costs
