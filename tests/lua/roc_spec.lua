-- roc_spec.lua - receiver operating characteristics, Youden's J, Wilson's intervals, bands and answers: against hand-computed values.
-- SPDX-License-Identifier: GPL-3.0-or-later
local roc = require "judge.roc"
local stats = require "numeric.stats"
local threshold = require "judge.threshold"

describe("the receiver operating characteristic", function()
    it("is perfect if the sets are apart, in either direction, and cuts in the middle", function()
        local found = roc.of({ 6, 8 }, { 1, 2, 4 }, true)
        assert.equal(1, found.area)
        assert.equal(1, found.youden)
        assert.equal(5, found.cut)
        assert.same({ 1, 2 }, { found.sensitivity.rate, found.sensitivity.n })
        assert.same({ 1, 3 }, { found.specificity.rate, found.specificity.n })
        found = roc.of({ 1, 2, 4 }, { 6, 8 }, false)
        assert.equal(1, found.area)
        assert.equal(5, found.cut)
        assert.same({ 1, 3 }, { found.sensitivity.rate, found.sensitivity.n })
        assert.same({ 1, 2 }, { found.specificity.rate, found.specificity.n })
    end)

    -- present 3 5 7 9, absent 1 2 4 6: of 16 pairs the present value is larger in 2 + 3 + 4 + 4 = 13. Cuts: above 2: 1 - 2/4 = 1/2;
    -- above 3: 3/4 - 2/4; above 4: 3/4 - 1/4 = 1/2; above 5: 2/4 - 1/4; above 6: 2/4 - 0 = 1/2. The lowest of the three is between 2 and 3.
    it("counts pairs and uses the lowest of the best cuts if the sets overlap", function()
        local found = roc.of({ 9, 3, 7, 5 }, { 6, 1, 4, 2 }, true)
        assert.equal(13 / 16, found.area)
        assert.equal(1 / 2, found.youden)
        assert.equal(2.5, found.cut)
        assert.equal(1, found.sensitivity.rate)
        assert.equal(1 / 2, found.specificity.rate)
        assert.equal(13 / 16, roc.of({ 6, 1, 4, 2 }, { 9, 3, 7, 5 }, false).area)
    end)

    -- present 2 2 3, absent 1 2: pairs 1 + 1/2, 1 + 1/2, 2 of 6. Cuts: above 1: 3/3 - 1/2 = 1/2; above 2: 1/3 - 0.
    it("counts ties half", function()
        local found = roc.of({ 2, 2, 3 }, { 1, 2 }, true)
        assert.near(5 / 6, found.area, 1e-12)
        assert.near(1 / 2, found.youden, 1e-12)
        assert.equal(1.5, found.cut)
    end)

    it("has no cut if all values are equal, or lie in the wrong order", function()
        local same = roc.of({ 4, 4 }, { 4 }, true)
        assert.same({ 0.5, 0 }, { same.area, same.youden })
        assert.is_nil(same.cut)
        assert.is_nil(same.sensitivity)
        local reversed = roc.of({ 1, 2 }, { 3, 4 }, true)
        assert.same({ 0, 0 }, { reversed.area, reversed.youden })
        assert.is_nil(reversed.cut)
    end)

    it("works with one sample of each", function()
        local found = roc.of({ 2 }, { 1 }, true)
        assert.same({ 1, 1, 1.5 }, { found.area, found.youden, found.cut })
    end)
end)

describe("a rate", function()
    -- E. B. Wilson's interval with z = 1.959964, z^2 = 3.841459: 2 of 2: 2 / (2 + 3.841459) = 0.342380; 1 of 2: (0.5 + 0.960365 -+
    -- 1.959964 * sqrt(0.125 + 0.240091)) / 2.920729 = 0.094531, 0.905469; 8 of 10: 0.490162, 0.943318
    for _, case in ipairs { { 2, 2, 0.342380, 1 }, { 0, 2, 0, 0.657620 }, { 1, 2, 0.094531, 0.905469 }, { 8, 10, 0.490162, 0.943318 } } do
        it(("of %d of %d has Wilson's interval"):format(case[1], case[2]), function()
            local found = stats.rate(case[1], case[2])
            assert.equal(case[1] / case[2], found.rate)
            assert.near(case[3], found.low, 1e-6)
            assert.near(case[4], found.high, 1e-6)
        end)
    end

    it("of 0 or 1 has an interval that ends there", function()
        for n = 1, 50 do
            assert.equal(0, stats.rate(0, n).low)
            assert.equal(1, stats.rate(n, n).high)
        end
    end)

    it("of nothing is absent", function()
        assert.is_nil(stats.rate(0, 0))
    end)
end)

describe("a threshold's band", function()
    -- worst 12 and 4, 3 times apart: a quarter of the difference is 2, the value 6.9
    it("is the middle half between the two worst values", function()
        local found = threshold.between({ 90, 12 }, { 4, 1 })
        assert.same({ low = 6, high = 10 }, found.band)
        assert.same({ present = 12, absent = 4 }, found.gap)
        assert.equal(1, found.roc.youden)
    end)

    -- worst 404 and 4: a quarter of the difference is 100, beyond the value of 40.2
    it("begins at the value if the controls are far apart", function()
        local found = threshold.between({ 900, 404 }, { 4, 1 })
        assert.same({ low = found.value, high = 304 }, found.band)
        assert.equal(math.sqrt(4 * 404), found.value)
    end)

    it("begins a quarter from 0, which has no ratios, and is mirrored if present is below", function()
        assert.same({ low = 2, high = 6 }, threshold.between({ 8, 10 }, { 0, 0 }).band)
        local found = threshold.between({ 0, 0 }, { 8, 10 })
        assert.same({ low = 2, high = 6 }, found.band)
        assert.same({ present = 0, absent = 8 }, found.gap)
    end)

    it("does not exist without a value; the characteristic still does", function()
        local found = threshold.between({ 9, 3, 7, 5 }, { 6, 1, 4, 2 })
        assert.is_nil(found.band)
        assert.equal(13 / 16, found.roc.area)
        assert.is_nil(threshold.between({ 5 }, { 1, 2 }).band)
    end)

    it("answers by side; in the band, without a band and for impossible values the answer is \"cannot say\"", function()
        local above, below = threshold.between({ 8, 10 }, { 0, 0 }), threshold.between({ 0, 0 }, { 8, 10 })
        for _, case in ipairs {
            { above, 6, "present" }, { above, 5.9, "cannot say" }, { above, 2.1, "cannot say" }, { above, 2, "absent" },
            { above, 0, "absent" },
            { above, 11, "present" }, { above, 11, "cannot say", 10 }, { above, 10, "present", 10 },
            { below, 2, "present" }, { below, 3, "cannot say" }, { below, 6, "absent" },
            { above, nil, "cannot say" }, { above, 0 / 0, "cannot say" }, { nil, 7, "cannot say" },
            { threshold.between({ 5 }, { 1, 2 }), 7, "cannot say" },
        } do
            assert.equal(case[3], threshold.answer(case[1], case[2], case[4]))
        end
    end)

    it("depends on the node and the number of threads of its controls", function()
        local samples = {}
        for _, one in ipairs { { "a", 8, "S0:2" }, { "a", 9, "S0:1@S1:1" }, { "b", 1, "S0:2" }, { "b", 2, "S0:4" }, { "c", 1, "S0:8" } } do
            samples[#samples + 1] = { code = one[1], measured = one[2], placement = one[3] }
        end
        local of = { present = { code = "a" }, absent = { code = "b" } }
        local found = threshold.find(samples, of, { kind = "virtual", arch = "test" })
        assert.same({ kind = "virtual", arch = "test", threads = { min = 2, max = 4 } }, found.domain)
    end)
end)
