-- lists_spec.lua - what is asked of lists: mapped, filtered, grouped, ordered. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

describe("a list", function()
    local PLACES = { { name = "b", n = 2 }, { name = "a", n = 1 }, { name = "b", n = 0 } }

    it("is mapped index by index, or collected without nil and false", function()
        assert.same({ "b", "a", "b" }, lists.map(PLACES, "name"))
        assert.same({ 1, 4 }, lists.map({ 1, 2 }, function(value, i) return value * i end))
        assert.same({ "b" }, lists.collect({ "a", "b", "c" }, function(value, i) return i == 2 and value end))
        assert.same({ PLACES[1] }, lists.filter(PLACES, function(one) return one.n > 1 end))
        assert.same({ 0, "b", "a" }, lists.append({ 0 }, { PLACES[1], PLACES[2] }, "name"))
        assert.equal("b, a, b", lists.join(PLACES, ", ", "name"))
    end)

    it("has find, any, all, count, sum and largest", function()
        local function is_b(one) return one.name == "b" end
        assert.equal(PLACES[1], lists.find(PLACES, is_b))
        assert.same({ true, false, 2, 3, 2, 7 }, { lists.any(PLACES, is_b), lists.all(PLACES, is_b), lists.count(PLACES, is_b),
            lists.sum(PLACES, "n"), lists.most(PLACES, 0, "n"), lists.most(PLACES, 7, "n") })
        assert.same({ true, false, nil }, { lists.all({}, is_b), lists.any({}, is_b), lists.find({}, is_b) })
    end)

    it("has a best value, of equals the first, and none if it is empty", function()
        local function has_more(one, other) return one.n > other.n end
        assert.equal(PLACES[1], lists.best(PLACES, has_more))
        local equal = { { n = 1 }, { n = 1 } }
        assert.is_true(rawequal(equal[1], lists.best(equal, has_more)))
        assert.is_nil(lists.best({}, has_more))
    end)

    it("is made of the words of a text, or of the matches of a pattern", function()
        assert.same({ "a", "b,c" }, lists.words "  a b,c ")
        assert.same({ "a b", "c" }, lists.words("a b,c", "[^,]+"))
        assert.same({}, lists.words "")
    end)

    it("is copied up to a length and cut into parts", function()
        assert.same({ { 1, 2 }, { 1, 2, 3 }, {} }, { lists.first({ 1, 2, 3 }, 2), lists.first({ 1, 2, 3 }, math.huge), lists.first({}, 1) })
        assert.same({ { 1, 2 }, { 3 } }, lists.parts({ 1, 2, 3 }, 2))
        assert.same({}, lists.parts({}, 2))
    end)

    it("is indexed and grouped in the order of first appearance", function()
        assert.same({ b = PLACES[3], a = PLACES[2] }, lists.index(PLACES, "name"))
        assert.same({ a = true, b = true }, lists.set(PLACES, "name"))
        local groups, by_name = lists.group(PLACES, "name")
        assert.same({ { PLACES[1], PLACES[3] }, { PLACES[2] } }, groups)
        assert.equal(groups[1], by_name.b)
        local at, order = {}, {}
        assert.equal(lists.bin(at, "x", { 1 }, order), lists.bin(at, "x", { 2 }, order))
        assert.same({ { 1 } }, order)
        lists.push(at, "y", 3)
        assert.same({ 3 }, at.y)
    end)

    it("adds weights of one sum to those of another", function()
        local sum = { a = 1 }
        assert.equal(sum, lists.add_weights(sum, { a = 2, b = 3 }, -1))
        assert.same({ a = -1, b = -3 }, sum)
    end)

    it("is sorted by keys in turn", function()
        local sorted = { table.unpack(PLACES) }
        table.sort(sorted, lists.by("name", "n"))
        assert.same({ 1, 0, 2 }, lists.map(sorted, "n"))
        table.sort(sorted, lists.by(function(place) return -#place.name end, function(place) return -place.n end))
        assert.same({ 2, 1, 0 }, lists.map(sorted, "n"))
        assert.same({ "a", "b" }, lists.sorted { b = 1, a = 2 })
    end)
end)
