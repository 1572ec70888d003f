-- pages_spec.lua - pages of patterns and of architectures are up to date with their sources, and show what they should.
-- SPDX-License-Identifier: GPL-3.0-or-later
local architecture = require "report.wiki.architecture"
local fixture = require "fixture"
local group = require "input.group"
local lists = require "input.lists"
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
    given.pattern = schema.pattern { text = given.text, file = "some.lua" }
    return page.render(given)
end

local function known(text, more)
    local given = { machine = fixture.machine(), groups = fixture.groups(), records = {},
        patterns = { schema.pattern { text = text, file = "some.lua" } } }
    lists.merge(given, more)
    return architecture.known(given)
end

-- A record with a metric of group ASSAY_BRANCH per verdict.
local function record_of(verdicts)
    local metrics = {}
    for i, verdict in ipairs(verdicts) do
        metrics[i] = { pattern = "some", group = "ASSAY_BRANCH", metric = "Branches", verdict = verdict }
    end
    return { node = { name = "mine", kind = "virtual" }, started = "2026-01-02T03:04:05Z", metrics = metrics }
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

describe("pages of architectures", function()
    local QUANTITY = "| branches | `ASSAY_BRANCH` | Branches | `BR_INST_RETIRED_ALL_BRANCHES` | %s | 0.26 (0.1) | %s |"

    it("list what counts each quantity, what cannot be counted, and errata of the events", function()
        local text = architecture.page(known(PATTERN))
        has(text, "# Intel Xeon E5/E7 v3 (Haswell-EP, -EX)")
        has(text, "### [Some \\| pattern](../patterns/some.md)")
        has(text, QUANTITY:format("-", "-"))
        has(text, "- Not counted: FLOPs: no event counts scalar or 128-bit floating-point arithmetic.")
        local short = group.parse { text = fixture.text "groups/haswellEP/ASSAY_BRANCH.txt", file = "ASSAY_BRANCH.txt" }.short
        assert.is_truthy(text:find("**ASSAY_BRANCH**, " .. short .. ". ", 1, true))
        assert.is_nil(text:find "ASSAY_MEM") -- no quantity of the pattern
        has(text, "No erratum of these events is known.")
        has(architecture.page(known((PATTERN:gsub('"branches"', '"divider uops per instruction"', 1):gsub('"branches"', '"FLOPs"')))),
            "- **HSD140**: The number of retired instructions of the same code may vary between runs.")
    end)

    it("show the verdicts of the nodes' records, with untested metrics only if nothing was tested", function()
        local function verdict(...)
            return architecture.page(known(PATTERN, { records = lists.map({ ... }, record_of) }))
        end
        has(verdict { "validated", "untested" }, QUANTITY:format("-", "validated"))
        has(verdict { "untested" }, QUANTITY:format("-", "untested"))
        has(verdict { "validated", "rejected", "validated" }, QUANTITY:format("-", "2 validated, 1 rejected"))
        has(verdict({ "untested" }, { "validated" }), QUANTITY:format("-", "validated")) -- on two nodes
        local records = "newest records of virtual nodes: `mine` (2026-01-02), `mine` (2026-01-02)."
        assert.is_truthy(verdict({ "validated" }, {}):find(records, 1, true))
    end)

    it("show the vendor check of the events", function()
        local function checked(row)
            return architecture.page(known(PATTERN, { vendor = { BR_INST_RETIRED_ALL_BRANCHES = { row } } }))
        end
        local text = checked { event = "BR_INST_RETIRED_ALL_BRANCHES", state = "differs", consequence = "counts another event" }
        has(text, QUANTITY:format("differs", "-"))
        has(text, "- `BR_INST_RETIRED_ALL_BRANCHES`: counts another event")
        text = checked { event = "BR_INST_RETIRED_ALL_BRANCHES", state = "same" }
        has(text, QUANTITY:format("same", "-"))
        assert.is_nil(text:find("- `BR_INST_RETIRED_ALL_BRANCHES`:", 1, true))
    end)

    it("are listed in a table of quantities with a column per architecture", function()
        local with, without = known(PATTERN, { records = { record_of { "validated" } } }), known(PATTERN)
        local text = architecture.table { with, without }
        has(text, "| pattern | quantity | [haswellEP](haswellEP.md) | [haswellEP](haswellEP.md) |")
        has(text, "| [Some \\| pattern](../patterns/some.md) | branches | validated | group |")
        has(text, "|   | FLOPs | no group | no group |")
        local optional = known(PATTERN)
        table.remove(optional.shown[1].quantities) -- as overview.quantities does where no group shows it
        has(architecture.table { without, optional }, "|   | divider uops | group | - |")
        local row = "| `haswellEP` | Intel Xeon E5/E7 v3 (Haswell-EP, -EX) | %s |"
        has(text, row:format "virtual | mine (virtual)")
        with.records[1].node.kind, without.machine.processor = "native", nil
        has(architecture.table { architecture.known(with) }, row:format "silicon | mine (native)")
        has(architecture.table { architecture.known(without) }, row:format "native | -")
        with = known(PATTERN, { records = { record_of {} } })
        has(architecture.table { with }, "| [Some \\| pattern](../patterns/some.md) | branches | not measured |")
    end)

    -- The pages themselves, which the first test compares with their sources.
    it("have a row per quantity that an architecture counts, and a reason for each that it does not", function()
        local pages, cells, names, pattern = {}, 0, nil, nil
        for line in fixture.text("docs/architectures/README.md"):gmatch "[^\n]+" do
            local row = {}
            for text in line:gmatch " (.-) |" do
                row[#row + 1] = text:match "^%[(.*)%]%(" or text
            end
            if row[1] == "pattern" then
                names = row
            elseif names and #row == #names and row[1] ~= "---" then
                pattern = row[1] ~= " " and row[1] or pattern
                for i = 3, #row do
                    pages[i] = pages[i] or fixture.text(("docs/architectures/%s.md"):format(names[i]))
                    local part = (pages[i] .. "\n##"):match("\n### %[" .. pattern:gsub("%p", "%%%0") .. "%]%b()\n(.-)\n##")
                    local quantity = row[2]:gsub("%p", "%%%0")
                    local reason = part:match("\n%- Not counted: " .. quantity .. " ?[:(]([^\n]*)")
                    local where = ("%s, %s, %s: %s"):format(names[i], pattern, row[2], row[i])
                    assert.equal(row[i] == "no group", reason ~= nil, where)
                    assert.is_nil(part:find "no group of", where)
                    assert.is_true(row[i] == "-" or reason ~= nil or part:find("\n| " .. quantity) ~= nil, where)
                    cells = cells + 1
                end
            end
        end
        assert.is_true(cells > 0)
    end)
end)
