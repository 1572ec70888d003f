-- families_spec.lua - metrics of numbered boxes as one line. SPDX-License-Identifier: GPL-3.0-or-later
local families = require "report.families"

describe("families", function()
    it("are names that begin with a numbered box", function()
        assert.same({ "CBOX# data reads volume", 17 }, { families.split "CBOX17 data reads volume" })
        assert.same({ "L2-L3 load volume" }, { families.split "L2-L3 load volume" })
        assert.same({ "AVX operations" }, { families.split "AVX operations" })
    end)

    it("combine entries with the same attribute, and no others", function()
        local list = {
            { name = "CBOX2 volume", why = "a" }, { name = "Other", why = "a" }, { name = "CBOX3 volume", why = "a" },
            { name = "CBOX4 volume", why = "b" }, { name = "CBOX10 volume", why = "a" }, { name = "Other", why = "a" },
        }
        local names = {}
        for i, family in ipairs(families.fold(list, function(entry) return entry.why end)) do
            names[i] = family.name .. " " .. family.first.why
        end
        assert.same({ "CBOX2-10 volume a", "Other a", "CBOX4 volume b", "Other a" }, names)
    end)
end)
