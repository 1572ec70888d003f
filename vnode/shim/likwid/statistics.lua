-- statistics.lua - likwid-perfctr's statistics of events that have no value, and of their metrics: '-', where LIKWID prints sums of nothing
-- (0, inf, 0, 0). Lua runs this before likwid-perfctr's script (perfctr.c). SPDX-License-Identifier: GPL-3.0-or-later

-- LIKWID's tables are arrays of columns. The least of no values is infinite.
local function without_value(columns)
    local from, least
    for i, column in ipairs(columns) do
        from, least = from or column[1] == "Sum" and i, least or column[1] == "Min" and column
    end
    for row, text in ipairs(from and least or {}) do
        for i = text == "inf" and from or #columns + 1, #columns do
            columns[i][row] = "-"
        end
    end
end

local require_module = require
-- luacheck: globals require
function require(name)
    local module = require_module(name)
    if name == "likwid" then
        require = require_module
        for _, printer in ipairs({ "printtable", "printcsv" }) do
            local print_columns = module[printer]
            module[printer] = function(columns, ...)
                without_value(columns)
                return print_columns(columns, ...)
            end
        end
    end
    return module
end
