-- formula_spec.lua - LIKWID's formulas: arithmetic, names with options, absence, quotients of sums.
-- SPDX-License-Identifier: GPL-3.0-or-later
local formula = require "input.formula"
local quotient = require "input.quotient"

describe("formula", function()
    local values = { PMC0 = 6, PMC1 = 3, ["CBOX0C1:STATE=0x1"] = 5, time = 2, zero = 0 }
    for text, expected in pairs {
        ["1.0E-06*(PMC0+PMC1)*64.0/time"] = 1e-6 * 9 * 64 / 2,
        ["PMC0-PMC1-1"] = 2,
        ["PMC0/PMC1/2"] = 1,
        ["1+2*3"] = 7,
        ["(1+2)*3"] = 9,
        ["-PMC1+1"] = -2,
        ["2*-3"] = -6,
        ["CBOX0C1:STATE=0x1*2"] = 10,
        [".5*PMC0"] = 3,
        ["1.E-06*1e6"] = 1,
    } do
        it("computes " .. text, function() assert.near(expected, formula.evaluate(text, values), 1e-12) end)
    end

    it("never counts an absent name as 0", function()
        assert.same({ nil, "PMC7" }, { formula.evaluate("PMC0+PMC7", values) })
        assert.same({ nil, "nan" }, { formula.evaluate("PMC0/zero", values) })
        assert.same({ nil, "nan" }, { formula.evaluate("zero/zero", values) })
    end)

    for _, text in ipairs { "", "1+", "(1", "1)", "PMC0 PMC1", "*2", "2**3", "1,5" } do
        it("refuses '" .. text .. "'", function()
            local ok, message = pcall(formula.parse, text)
            assert.is_false(ok)
            assert.truthy(message:find("formula '" .. text .. "'", 1, true))
        end)
    end
end)

describe("a formula as a quotient of sums", function()
    local function fraction(text)
        return quotient.fraction(formula.parse(text))
    end

    it("has factors for counters, and powers of time and clock; equal sums cancel", function()
        assert.same({ top = { base = 0, terms = { PMC0 = 2, PMC1 = 6 }, names = { "PMC0", "PMC1" } },
            bottom = { base = 1, terms = {}, names = {} }, powers = { time = -1 } }, fraction "2*(PMC0+3*PMC1)/time")
        assert.same({ top = { base = 4, terms = {}, names = {} }, bottom = { base = 0, terms = { PMC0 = 1 }, names = { "PMC0" } },
            powers = { inverseClock = 1 } }, fraction "(4*PMC1/time)*inverseClock/(PMC1*PMC0/time)")
    end)

    it("does not exist for products, or for sums divided by different sums", function()
        assert.is_nil(fraction "PMC0*PMC1")
        assert.is_nil(fraction "PMC0/PMC1+PMC1/PMC0")
        assert.is_nil(fraction "PMC0/time+PMC1")
    end)
end)
