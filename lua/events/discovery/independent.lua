-- independent.lua - selects independent columns: QR factorisation with column pivoting.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- G. Golub: Numerical methods for solving linear least squares problems, Numerische Mathematik 7, 1965: each step takes the column with
-- the largest remainder after projection on the chosen columns, here by modified Gram-Schmidt.
local lists = require "input.lists"

local independent = {}

-- Dot product of two columns.
function independent.dot(a, b)
    return lists.sum(a, function(value, i) return value * b[i] end)
end

local dot = independent.dot

-- columns = array of arrays of numbers, all of the same length -> indices of the columns in the order of choice. Ends when every
-- remaining column has less than the share `least` of its length left.
function independent.choose(columns, least)
    local left, norms, chosen, is_chosen = {}, {}, {}, {}
    for number, column in ipairs(columns) do
        left[number], norms[number] = table.move(column, 1, #column, 1, {}), math.sqrt(dot(column, column))
    end
    while #chosen < #columns do
        local best, most = nil, least
        for number, column in ipairs(left) do
            local share = not is_chosen[number] and norms[number] > 0 and math.sqrt(dot(column, column)) / norms[number] or 0
            if share > most then
                best, most = number, share
            end
        end
        if not best then
            break
        end
        chosen[#chosen + 1], is_chosen[best] = best, true
        local pivot = left[best]
        local square = dot(pivot, pivot)
        for number, column in ipairs(left) do
            if not is_chosen[number] then
                local share = dot(pivot, column) / square
                for i, value in ipairs(pivot) do
                    column[i] = column[i] - share * value
                end
            end
        end
    end
    return chosen
end

return independent
