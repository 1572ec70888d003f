-- papers_page.lua - makes docs/papers.md from docs/papers.lua. SPDX-License-Identifier: GPL-3.0-or-later
--
--   page.render{ sections = rows of docs/papers.lua, record = the newest reference record, patterns = by name,
--                architectures = { { machine =, groups = by name }, .. } (docs/pages.lua), probes = by name,
--                concepts = text of probes/concepts.txt } -> the page
local concepts = require "input.concepts"
local lists = require "input.lists"
local report = require "report.text.report"
local text = require "report.wiki.text"
local vocabulary = require "judge.vocabulary"

local page = {}

local COLUMNS = { "row", "what", "command", "the paper", "ours" }

-- 6292480 -> "6 292 480"
local function grouped(number)
    return (("%d"):format(number):reverse():gsub("(%d%d%d)", "%1 "):reverse():gsub("^ ", ""))
end

-- The functions that rows call to compute `ours`; each returns a text.
local function facts_of(known)
    local facts = {}

    local function matching(filter)
        local found = {}
        for _, metric in ipairs(known.record.metrics) do
            local is_of = metric.code ~= filter.without and metric.metric ~= nil
            for _, key in ipairs { "pattern", "level", "metric", "code" } do
                is_of = is_of and (filter[key] == nil or metric[key] == filter[key])
            end
            found[#found + 1] = is_of and metric or nil
        end
        return found
    end

    -- "7 validated; -0.01 to +0.05 %": number of metrics by verdict, smallest and largest error. Fails if no metric matches.
    function facts.errors(filter)
        local found, low, high = matching(filter), nil, nil
        if #found == 0 then
            error(("the reference record has nothing of %s %s"):format(filter.pattern, filter.metric or ""), 0)
        end
        for _, metric in ipairs(found) do
            local errors = metric.error_pct
            low = errors and math.min(low or errors.min, errors.min) or low
            high = errors and math.max(high or errors.max, errors.max) or high
        end
        local verdicts = vocabulary.tally(vocabulary.count(found, "verdict"), vocabulary.VERDICTS, "%d %s")
        return ("%s; %s to %s %%"):format(verdicts, report.percent(low), report.percent(high))
    end

    -- Count and names of codes; fails if the pattern lacks one.
    function facts.codes(pattern, names)
        local has = {}
        for _, code in ipairs(known.patterns[pattern].codes) do
            has[code.name] = true
        end
        for _, name in ipairs(names) do
            assert(has[name], name .. " is no code of " .. pattern)
        end
        return ("%d kernels: %s"):format(#names, table.concat(names, ", "))
    end

    -- Elements that one of two threads processes if each gets half of the rows of a triangular matrix, N = 4096.
    function facts.elements(thread)
        local processed = known.patterns.load_imbalance.processed
        return grouped(processed { thread = thread, code = { name = "halved" }, point = { n = 4096 } })
    end

    function facts.patterns()
        local verdicts = vocabulary.tally(vocabulary.count(known.record.metrics, "verdict"), vocabulary.VERDICTS, "%d %s")
        return ("%d patterns on %s: %s"):format(#lists.sorted(known.patterns), known.record.node.name, verdicts)
    end

    -- Number and folder names of architectures.
    function facts.architectures()
        local names = {}
        for i, one in ipairs(known.architectures) do
            names[i] = one.machine.arch
        end
        return ("%d: %s"):format(#names, table.concat(names, ", "))
    end

    -- Number of different events in the groups of each architecture.
    function facts.events()
        local parts = {}
        for i, one in ipairs(known.architectures) do
            local names = {}
            for _, group in pairs(one.groups) do
                for _, event in ipairs(group.events) do
                    names[event.event] = true
                end
            end
            parts[i] = ("%s %d"):format(one.machine.arch, #lists.sorted(names))
        end
        return "events in groups: " .. table.concat(parts, ", ")
    end

    -- Number of patterns with a threshold, and the smallest ratio of values with the pattern to values without it.
    function facts.thresholds()
        local patterns, least = {}, nil
        for _, metric in ipairs(known.record.metrics) do
            local found = metric.threshold
            if found and found.value then
                patterns[metric.pattern] = true
                least = found.margin and math.min(least or found.margin, found.margin) or least
            end
        end
        return ("%d patterns have one; present and absent are at least %.3g times apart"):format(#lists.sorted(patterns), least)
    end

    -- Number of metrics that have each of the four counts: reported by LIKWID, predicted by the model, counted in the disassembly,
    -- simulated.
    function facts.oracles()
        local parts = {}
        for i, name in ipairs { "reported", "predicted", "counted", "simulated" } do
            local count = 0
            for _, metric in ipairs(known.record.metrics) do
                count = count + (metric.oracles and metric.oracles[name] and 1 or 0)
            end
            parts[i] = ("%d %s"):format(count, name)
        end
        return "metrics: " .. table.concat(parts, ", ")
    end

    function facts.branch_codes()
        return ("%d kernels"):format(#known.probes.branches.codes)
    end

    function facts.concepts()
        return ("%d concepts"):format(#concepts.read { text = known.concepts, file = "probes/concepts.txt" })
    end

    -- Number of sizes in the curves of the probe `products`, on native and on virtual nodes.
    function facts.products()
        local counts = {}
        for i, kind in ipairs { "native", "virtual" } do
            local least, most = math.huge, 0
            for _, curve in ipairs(known.probes.products.curves) do
                local sizes = curve.times and #curve.values { node = { kind = kind }, is_named = true }
                least, most = math.min(least, sizes or least), math.max(most, sizes or most)
            end
            counts[i] = ("%d%s sizes on %s nodes"):format(least, most > least and " to " .. most or "", kind)
        end
        return table.concat(counts, ", ")
    end

    -- Published errata of each architecture's events.
    function facts.errata()
        local parts = {}
        for _, one in ipairs(known.architectures) do
            local ids = {}
            for k, erratum in ipairs(one.machine.errata) do
                ids[k] = erratum.id
            end
            parts[#parts + 1] = #ids > 0 and ("%s %s"):format(one.machine.arch, table.concat(ids, " ")) or nil
        end
        return table.concat(parts, "; ")
    end

    return facts
end

-- Adds the table of a section and, below it, the tests of its rows.
local function add_section(lines, section, facts)
    local rows, tests = {}, {}
    for i, row in ipairs(section) do
        local id, what, command, paper, ours, test = table.unpack(row, 1, 6)
        if type(ours) == "function" then
            ours = ours(facts)
        end
        rows[i] = { id, text.escape(what), text.code(command), text.escape(paper), text.escape(ours) }
        tests[i] = ("- %s, %s: tests/%s"):format(id, text.escape(what), text.escape(test))
    end
    text.add(lines, "## %s", text.escape(section.title))
    text.add_table(lines, COLUMNS, rows)
    text.add(lines, "<details><summary>Tests of these rows</summary>\n\n%s\n\n</details>", table.concat(tests, "\n"))
end

function page.render(known)
    local lines, facts = {}, facts_of(known)
    text.add(lines, "<!-- Made by `make pages` from docs/papers.lua, the newest record in results/, patterns, groups and probes: "
        .. "change these. -->")
    text.add(lines, "# Five papers, row by row")
    text.add(lines, "For readers of these papers: what each paper measured, the command that does the same here, the paper's result and "
        .. "ours. Our numbers come from a virtual node (%s, Assay %s): **not evidence about silicon**. Errors are signed, in %% of "
        .. "the expected value: the smallest and the largest over codes, points and repetitions. The metrics of row M6 have up to "
        .. "four counts: *reported* by LIKWID, *predicted* by the model, *counted* in the disassembly and *simulated* by the virtual "
        .. "node without faults.", known.record.node.name, known.record.assay)
    for _, section in ipairs(known.sections) do
        add_section(lines, section, facts)
    end
    return (table.concat(lines, "\n"):gsub("\n+$", "\n"))
end

return page
