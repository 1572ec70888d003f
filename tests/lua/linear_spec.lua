-- linear_spec.lua - linear programs: optimum and duals, the three ways to have none, refused input, and rows given lazily.
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture"
local linear = require "linear"
local linear_program = require "numeric.linear_program"
local synthetic = require "synthetic"

describe("linear.solve", function()
    it("finds the best corner, and the rows that bound it", function()
        -- 3x + 2y with x + y <= 4, x + 3y <= 6, x <= 3: (3, 1), 11; the second row has room
        local found = linear.solve { columns = { { low = 0, high = 3 }, { low = 0 } }, objective = { 3, 2 }, maximise = true,
            rows = { { high = 4, terms = { 1, 1 } }, { high = 6 + 1, terms = { 1, 3 } } } }
        assert.near(11, found.value, 1e-9)
        assert.near(3, found.columns[1], 1e-9)
        assert.near(1, found.columns[2], 1e-9)
        assert.near(2, found.duals[1], 1e-9)
        assert.near(0, found.duals[2], 1e-9)
    end)

    it("reports why there is none", function()
        assert.same({ nil, "infeasible" }, { linear.solve { columns = { { high = 1 } }, rows = { { low = 2, terms = { 1 } } } } })
        assert.same({ nil, "unbounded" }, { linear.solve { columns = { {} }, rows = {}, objective = { 1 } } })
    end)

    it("does not call a program infeasible because of rounding", function()
        -- (0, 0, 0, 1, 1) is one solution; GLPK 5.0's simplex method alone finds none
        local found = linear.solve { columns = { { low = 0, high = 8 }, { low = 0, high = 8 }, { low = 0, high = 8 },
            { low = 0, high = 8 }, { low = 0, high = 8 } }, objective = { 1, 1.001, 1.001, 1.001, 1.001 }, rows = {
            { low = 0.099, terms = { 3.8e-07, 0.1, 0.1, 9.2e-06, 0.1 } }, { low = 0.099, terms = { 2.2e-05, 0.1, 0.1, 0.1, 0.00052 } },
            { high = 0.00021, terms = { 0.005, 0.13 } }, { high = 0.0004, terms = { 0.091, 0.27, 0.087 } } } }
        assert.is_table(found)
        assert.is_true(found.value <= 2 * 1.001)
        assert.is_true(found.value > 1.9)
    end)

    it("gives up after a limited number of iterations", function()
        local argument = { columns = { { low = 0, high = 3 }, { low = 0 } }, objective = { 3, 2 }, maximise = true,
            rows = { { high = 4, terms = { 1, 1 } }, { high = 6, terms = { 1, 3 } } } }
        assert.is_table(linear.solve(argument))
        argument.iterations = 0
        assert.same({ nil, "not solved" }, { linear.solve(argument) })
    end)

    it("refuses an argument that is not a linear program", function()
        for _, wrong in ipairs {
            { columns = {}, rows = {} },
            { columns = { {} }, rows = { { low = 0, terms = { [2] = 1 } } } },
            { columns = { {} }, rows = { { low = 0 / 0, terms = { 1 } } } },
            { columns = { {} }, rows = { { low = 0, terms = { math.huge } } } },
            { columns = { {} } },
        } do
            assert.is_false(pcall(linear.solve, wrong))
        end
    end)
end)

describe("linear_program.solve", function()
    it("finds the solution for all rows by solving with some of them", function()
        for seed = 1, 20 do
            local random, rows = synthetic.random(seed), {}
            for i = 1, 200 do
                rows[i] = { high = random.between(1, 2), terms = { random.between(-1, 1), random.between(-1, 1) } }
            end
            local argument = { columns = { { low = -9, high = 9 }, { low = -9, high = 9 } }, rows = rows, objective = { 1, 0.3 },
                maximise = true }
            local lazy, all = linear_program.solve(argument), linear.solve(argument)
            assert.near(all.value, lazy.value, 1e-6)
            assert.is_true(#lazy.taken < #rows)
            assert.is_true(#lazy.tight > 0)
        end
    end)
end)
