-- What LIKWID's version cannot count. SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local quantity = require "plan.quantity"
local versions = require "input.versions"

local function machine(likwid)
    local one = {
        arch = "new",
        traffic = array(),
        cannot = {
            { quantity = "a", reason = "always" },
            { quantity = "b", reason = "early", upto = "5.4.1" },
            { quantity = "b", reason = "late", since = "5.5" },
        },
        versions = { { names = { "UMC", "EVENT" }, since = "5.5" }, { names = { "GROUP" }, since = "5.4.1", upto = "5.4.2" } },
    }
    versions.apply(one, likwid)
    return one
end

local function group(name, counter, event)
    return { name = name, events = { { counter = "PMC0", event = "X" }, { counter = counter, event = event } } }
end

describe("a version of LIKWID", function()
    it("lacks the quantities that the machine file says it lacks; if unknown, the newest version is assumed", function()
        local none = "no group of new shows b"
        for likwid, reason in pairs { ["5.2.2"] = "b: early", ["5.4.1"] = "b: early", ["5.4.10"] = none, ["5.5"] = "b: late" } do
            assert.equal(reason, quantity.why_none(machine(likwid), "b", {}))
        end
        assert.equal("b: late", quantity.why_none(machine(nil), "b", {}))
        assert.equal("a: always", quantity.why_none(machine "5.2.2", "a", {}))
    end)

    it("cannot count what is named by group, counter, event or architecture", function()
        local old, first = machine "5.4.1", "5.5 is the first that can"
        assert.equal("LIKWID 5.4.1 cannot count UMC; " .. first, versions.why_unfit(group("G", "UMC12C0", "Y"), old))
        assert.equal("LIKWID 5.4.1 cannot count EVENT; " .. first, versions.why_unfit(group("G", "PMC1", "EVENT"), old))
        assert.is_nil(versions.why_unfit(group("G", "UMCX0", "EVENTS"), old))
        assert.is_nil(versions.why_unfit(group("G", "UMC12C0", "Y"), machine "5.5.0"))
        old.versions[1].names = { "new" }
        assert.equal("LIKWID 5.4.1 cannot count new; " .. first, versions.why_unfit(group("G", "PMC1", "Y"), old))
    end)

    it("may be too new", function()
        local one, last = group("GROUP", "PMC1", "Y"), "5.4.2 is the last that can"
        assert.is_nil(versions.why_unfit(one, machine "5.4.2"))
        assert.equal("LIKWID 5.5.1 cannot count GROUP; " .. last, versions.why_unfit(one, machine "5.5.1"))
        assert.equal("the newest LIKWID cannot count GROUP; " .. last, versions.why_unfit(one, machine(nil)))
    end)
end)
