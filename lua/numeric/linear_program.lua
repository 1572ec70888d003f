-- linear_program.lua - linear programs with many rows and few columns: the solver gets only the rows that matter.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A row is { low = |nil, high = |nil, terms = { [column] = number }, .. }, a column { low =, high = } with finite bounds, so that a linear
-- program with some of the rows is never unbounded. The rows that its solution violates most are added until it violates none.
local linear = require "linear"

local linear_program = {}

local MISSED = 1e-7 -- tolerated violation of a row; rows are relative to expected values
local ADDED = 8 -- rows added per round
local ROUNDS = 200

local function value_of(row, columns)
    local sum = 0
    for column, factor in pairs(row.terms) do
        sum = sum + factor * columns[column]
    end
    return sum
end

local function missed(row, columns)
    local value = value_of(row, columns)
    return math.max(row.low and row.low - value or -math.huge, row.high and value - row.high or -math.huge)
end

-- The rows outside of `taken` that the solution violates most, if any.
local function worst(rows, taken, columns)
    local found = {}
    for _, row in ipairs(rows) do
        local by = not taken[row] and missed(row, columns) or 0
        if by > MISSED and (#found < ADDED or by > found[#found].by) then
            found[#found < ADDED and #found + 1 or ADDED] = { row = row, by = by }
            table.sort(found, function(a, b) return a.by > b.by end)
        end
    end
    return found
end

-- { columns =, rows =, objective =, maximise = |nil, taken = rows of an earlier call to start with |nil }
-- -> { value =, columns =, taken = rows that the solver got, tight = rows that limit the objective }, or nil and why.
function linear_program.solve(argument)
    local active, taken = {}, {}
    for i, row in ipairs(argument.taken or {}) do
        active[i], taken[row] = row, true
    end
    for _ = 1, ROUNDS do
        local solution, why = linear.solve { columns = argument.columns, rows = active, objective = argument.objective,
            maximise = argument.maximise }
        if not solution then
            return nil, why
        end
        local more = worst(argument.rows, taken, solution.columns)
        if #more == 0 then
            solution.taken, solution.tight = active, {}
            for i, dual in ipairs(solution.duals) do
                if dual ~= 0 then
                    table.insert(solution.tight, active[i])
                end
            end
            return solution
        end
        for _, one in ipairs(more) do
            active[#active + 1], taken[one.row] = one.row, true
        end
    end
    return nil, "not solved"
end

return linear_program
