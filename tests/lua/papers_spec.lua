-- papers_spec.lua - docs/papers.lua: every row is there, its command exists, and a test covers it (pages_spec.lua: the page is up to date).
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local sections = dofile "docs/papers.lua"

-- Rows of a paper are numbered from 1; some numbers have several rows.
local ROWS = { R = 10, M = 11, C = 5, B = 7, K = 7, X = 9 }

local function each_row(visit)
    for _, section in ipairs(sections) do
        for _, row in ipairs(section) do
            visit(row[1], table.unpack(row, 2))
        end
    end
end

describe("rows of the papers", function()
    it("are complete", function()
        local seen = {}
        each_row(function(id) seen[id] = true end)
        for letter, count in pairs(ROWS) do
            for number = 1, count do
                assert(seen[letter .. number], ("no row %s%d"):format(letter, number))
                seen[letter .. number] = nil
            end
        end
        assert.same({}, seen)
    end)

    it("have commands and options of the man page", function()
        local manual = fixture.text "docs/assay.1"
        each_row(function(id, _, command)
            for part in (command .. ";"):gmatch "%s*(.-);" do
                local own = (part .. " "):match "^(.-) %-%- " or part
                local word = own:match "^assay (%l+)"
                if part ~= "" then
                    assert(word and manual:find(("%%.Cm %s%%s"):format(word)), ("%s: no command '%s'"):format(id, part))
                    for option in own:gmatch "%-%-(%l+)" do
                        assert(manual:find("-" .. option, 1, true), ("%s: no option --%s"):format(id, option))
                    end
                end
            end
        end)
    end)

    it("are covered by existing tests", function()
        each_row(function(id, _, _, _, _, test)
            local file, name = test:match "^(%S+): (.+)$"
            assert(file, id .. ": no test")
            local text = fixture.text("tests/" .. file)
            local declared = file:match "%.bats$" and ('@test "%s'):format(name) or ('it("%s'):format(name)
            assert(text:find(declared, 1, true), ("%s: %s has no test '%s'"):format(id, file, name))
        end)
    end)
end)
