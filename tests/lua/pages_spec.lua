-- pages_spec.lua - the patterns' pages are up to date with their sources, and show what they should.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local group = require "input.group"
local page = require "report.wiki.pattern"
local schema = require "input.schema"

local PATTERN = [[
-- Title: y = a x in a loop, or not (patterns/some.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The model <says>
--     so much
local none = {}

-- Not the model.
return pattern {
    name = "some", title = "Some | pattern", class = "work", about = "Some * work.", desired = "Work", advice = "Do _less_.",
    codes = { code { name = "much", runs = "loop", calls = { "more" } }, code { name = "little", runs = "loop" } },
    parameters = { "times" }, placements = { "pair" },
    points = { point { times = 8, base = { times = 2 }, quick = true }, point { code = "much", times = 9 } },
    quantities = {
        quantity { name = "branches", expect = function() return 1 end },
        quantity { name = "FLOPs", expect = function() return 1 end },
        quantity { name = "divider uops", expect = function() return 1 end, optional = true },
    },
    controls = { present = control { code = "much" }, absent = control { code = "little" } },
    signature = "branches",
}
]]
local PROGRAM = [[
/* some.c - y = a x,
 * and more.
 *
 * a paragraph,
 * another. SPDX-License-Identifier: GPL-3.0-or-later */
/* Not this. */
]]

local function render(given)
    local groups = fixture.groups()
    given.pattern = schema.pattern { text = given.text, file = "some.lua" }
    given.architectures = { { machine = fixture.machine(), groups = groups } }
    return page.render(given)
end

local function has(text, line)
    assert.is_truthy(("\n" .. text):find("\n" .. line .. "\n", 1, true), line)
end

describe("pages of patterns", function()
    it("are up to date with the pattern files", function()
        local output = assert(io.popen "lua5.4 docs/pages.lua --check 2>&1")
        local text = output:read "a"
        output:close()
        assert.equal("", text)
    end)

    it("say what the pattern is, how its codes show it, and what to do", function()
        local text = render { text = PATTERN, program = PROGRAM }
        has(text, "# Some \\| pattern")
        has(text, "Class: work. Measured by `assay validate some`.")
        has(text, "y = a x, and more.") -- no capital: it is a formula
        has(text, "A paragraph, another.")
        assert.is_nil(text:find "Not this")
        has(text, "| `much` | function `loop`, which calls `more` | pattern present |")
        has(text, "| all | 8 (base 2) | x |")
        has(text, "| `much` | 9 | - |")
        has(text, "## In your own code\n\nDo \\_less\\_.")
    end)

    it("say how to recognise the pattern in any program, and which other codes show it", function()
        local tests = [[    tests = {
        test { quantity = { "loads", "uops" }, plus = "page walks", per = "instructions" },
        test { quantity = { "FLOPs" }, spread = true },
    },
    also = { also { pattern = "other", control = "absent", reason = "it does the same" } },
}
]]
        local text = render { text = PATTERN:gsub("}\n$", tests) }
        has(text, "- (loads or uops + page walks) / instructions")
        has(text, "- largest over smallest of the threads' FLOPs")
        has(text, "| `other` | absent | it does the same |")
    end)

    it("show the head of the pattern file when there is no program", function()
        has(render { text = PATTERN }, "y = a x in a loop, or not (patterns/some.c).")
    end)

    it("have the model from comments, unchanged, and a model that patterns share", function()
        has(render { text = PATTERN }, "```text\nThe model <says>\n    so much\n```")
        has(render { text = PATTERN, model = "-- all.lua - for all.\n--\n-- And more.\n" }, "    so much\nAnd more.\n```")
    end)

    it("list what counts each quantity, what cannot be counted, and errata of the events", function()
        local text = render { text = PATTERN }
        has(text, "### Intel Xeon E5/E7 v3 (Haswell-EP, -EX)")
        has(text, "| branches | `ASSAY_BRANCH` | Branches | `BR_INST_RETIRED_ALL_BRANCHES` | 0.26 (0.1) |")
        has(text, "- Not counted: FLOPs: no event counts scalar or 128-bit floating-point arithmetic.")
        local short = group.parse { text = fixture.text "groups/haswellEP/ASSAY_BRANCH.txt", file = "ASSAY_BRANCH.txt" }.short
        assert.is_truthy(text:find("**ASSAY_BRANCH**, " .. short .. ". ", 1, true))
        has(text, "No erratum of these events is known.")
        has(render { text = (PATTERN:gsub('"branches"', '"divider uops per instruction"', 1):gsub('"branches"', '"FLOPs"')) },
            "- **HSD140**: The number of retired instructions of the same code may vary between runs.")
    end)

    it("have advice for every pattern of the suite", function()
        local list = assert(io.popen "ls patterns/*.lua")
        for path in list:lines() do
            local pattern = schema.pattern { text = fixture.text(path), file = path }
            assert.is_string(pattern.advice, path)
            assert.is_string(pattern.desired, path)
        end
        list:close()
    end)
end)
