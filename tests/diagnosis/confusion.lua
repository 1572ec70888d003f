-- confusion.lua - compares diagnoses with tests/diagnosis/truth.tsv: the answer about each program, and the confusion matrix.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Answers about a program that has patterns; of several the first one counts, because it costs most:
--   right        one of its patterns is present, with the largest share of all that are present
--   wrong        a pattern that it does not have is present, with the largest share
--   cannot say   nothing is present; its first pattern is "cannot say"
--   missed       nothing is present; its first pattern is absent
-- A healthy program is right if nothing is present. `more`: further patterns that are present and not the program's.
-- A name with "?" is a pattern whose share may be on both sides of the limit: it is right whatever is said about it. Rows that begin with
-- one, or with "healthy?", are counted apart.
local lists = require "input.lists"
local stats = require "numeric.stats"

local confusion = {}

-- The list of each half's programs.
confusion.TRUTH = { open = "tests/diagnosis/truth.tsv", kept = "tests/diagnosis/truth.tsv", packages = "tests/diagnosis/packages.tsv" }

confusion.ANSWERS = { "right", "wrong", "cannot say", "missed" }

-- Patterns of patterns/ for names of truth.tsv. Names outside of the catalogue have none of their own: the nearest ones are right, too.
confusion.NAMES = {
    excess_data_volume = { "excess_volume" }, latency_bound_access = { "latency_bound" }, bad_page_placement = { "page_placement" },
    synchronisation_overhead = { "synchronisation" }, expensive_instructions = { "long_latency" },
    ["anomaly:split_loads"] = { "split_loads" }, ["anomaly:store_forwarding"] = { "store_forwarding" },
    ["anomaly:4k_aliasing"] = { "address_aliasing" }, ["anomaly:avx_sse_transition"] = { "vector_transitions" },
    true_sharing = { "line_sharing", "atomic_updates", "false_sharing" }, tlb_misses = { "latency_bound", "strided_access" },
    icache_misses = { "pipelining" }, healthy = {},
}
local OUTSIDE = { true_sharing = true, tlb_misses = true, icache_misses = true }

-- Columns of a file of results: those of truth.tsv, then answers, node, version and day.
confusion.COLUMNS = { "program", "threads", "patterns", "present", "cannot say", "node", "version", "day" }

-- Conditions of the column `needs` on a node with the description of a record; the threads are on two sockets.
local HOLDS = {
    ["-"] = function() return true end,
    ["L3 > 1.5 MiB a thread"] = function(node) return node.llc_bytes * node.sockets / node.cores > 3 << 19 end,
    ["L3 < 6 MiB, or L2 < 6 MiB for the volume from L3"] = function() return true end, -- no L2 is so large
    ["a core that compares low address bits"] = function(node) return not node.arch:find "^zen" end,
}

function confusion.holds(needs, node)
    local archs = needs:match "^a core with [%w%- ]+: (.*)"
    local mebibytes = needs:match "^(%d+) MiB beyond the caches of 2 memory domains$"
    if archs then
        return archs:find(node.arch, 1, true) ~= nil
    elseif mebibytes then
        return tonumber(mebibytes) << 20 > node.llc_bytes * node.sockets
    end
    return HOLDS[needs](node)
end

-- Lines of tab-separated cells under a heading -> array of { [column] = cell }.
function confusion.rows(text)
    local columns, rows = nil, {}
    for line in text:gmatch "[^\n]+" do
        local cells = {}
        for cell in (line .. "\t"):gmatch "([^\t]*)\t" do
            cells[#cells + 1] = cell
        end
        local row = {}
        for i, column in ipairs(columns or {}) do
            row[column] = cells[i]
        end
        rows[#rows + 1] = columns and row or nil
        columns = columns or cells
    end
    return rows
end

-- "NAME LOW..HIGH,NAME LOW..HIGH" of a record's findings with this answer, in their order; "-" if there is none.
function confusion.list(findings, answer)
    local list = {}
    for _, found in ipairs(findings) do
        if found.answer == answer then
            list[#list + 1] = found.low and ("%s %.3f..%.3f"):format(found.pattern, found.low, found.high) or found.pattern
        end
    end
    return #list > 0 and table.concat(list, ",") or "-"
end

-- Writes what is told into the row's cells `present` and `cannot say`. Returns the row.
function confusion.tell(row, findings)
    row.present, row["cannot say"] = confusion.list(findings, "present"), confusion.list(findings, "cannot say")
    return row
end

-- A row of results with the cells of COLUMNS as a line.
function confusion.line(row)
    return table.concat(lists.map(confusion.COLUMNS, function(column) return row[column] end), "\t")
end

-- The names in a cell, and those of them that end with "?", without it.
local function names_in(text)
    local list, open = {}, {}
    for name, mark in text:gmatch "([%a_][%w_:]*)(%??)[^,]*" do
        table.insert(mark == "" and list or open, name)
    end
    return list, open
end

local function meant_by(names)
    local meant = {}
    for _, name in ipairs(names) do
        lists.append(meant, confusion.NAMES[name] or { name })
    end
    return meant
end

-- { patterns = cell of truth.tsv, ["present"], ["cannot say"] = cells of confusion.list } -> answer, array of `more`.
function confusion.answer(row)
    local names, open = names_in(row.patterns)
    local own, either = meant_by(names), meant_by(open)
    local present = lists.filter(names_in(row.present), function(name) return not lists.contains(either, name) end)
    local more = lists.filter(present, function(name) return not lists.contains(own, name) end)
    if #present > 0 then
        return lists.contains(own, present[1]) and "right" or "wrong", more
    elseif #own == 0 or lists.any(names, function(name) return OUTSIDE[name] end) then
        return "right", more
    end
    return lists.contains(names_in(row["cannot say"]), own[1]) and "cannot say" or "missed", more
end

-- Rows with `patterns`, `present` and `cannot say` -> array of { pattern = of truth.tsv, n, [answer] = count, more = count of `more` }, by
-- name; then "all", without names that end with "?", and "all ?" of these, if there are any.
function confusion.matrix(rows)
    local by_name, list, all, open = {}, {}, { pattern = "all", n = 0, more = 0 }, { pattern = "all ?", n = 0, more = 0 }
    for _, row in ipairs(rows) do
        local name = row.patterns:match "^[^,]+"
        if not by_name[name] then
            by_name[name] = { pattern = name, n = 0, more = 0 }
            list[#list + 1] = by_name[name]
        end
        local answer, more = confusion.answer(row)
        for _, sums in ipairs { by_name[name], name:find "%?$" and open or all } do
            sums.n, sums[answer], sums.more = sums.n + 1, (sums[answer] or 0) + 1, sums.more + #more
        end
    end
    table.sort(list, function(a, b) return a.pattern < b.pattern end)
    list[#list + 1] = all
    list[#list + 1] = open.n > 0 and open or nil
    return list
end

-- "3 (44 .. 97 %)": a count of n with Wilson's 95 % interval.
local function cell_of(count, n)
    local rate = stats.rate(count or 0, n)
    return ("%d (%.0f .. %.0f %%)"):format(count or 0, 100 * rate.low, 100 * rate.high)
end

-- Lines of a Markdown page about rows: the matrix as a table, and a list of the programs whose answer is not right, or
-- that show further patterns.
function confusion.render(rows)
    local lines = { "| pattern by construction | programs | right | wrong | cannot say | missed | others present |",
        "|---|---|---|---|---|---|---|" }
    for _, sums in ipairs(confusion.matrix(rows)) do
        local cells = { sums.pattern, tostring(sums.n) }
        for _, answer in ipairs(confusion.ANSWERS) do
            cells[#cells + 1] = cell_of(sums[answer], sums.n)
        end
        cells[#cells + 1] = tostring(sums.more)
        lines[#lines + 1] = "| " .. table.concat(cells, " | ") .. " |"
    end
    lines[#lines + 1] = ""
    for _, row in ipairs(rows) do
        local answer, more = confusion.answer(row)
        if answer ~= "right" or #more > 0 then
            lines[#lines + 1] = ("- %s, threads %s (%s): %s; present: %s"):format(row.program, row.threads, row.patterns, answer,
                row.present)
        end
    end
    return lines
end

local FACTORS = { ["0"] = "stuck at 0", ["0.5"] = "half", ["2"] = "double" }

-- Lines of a Markdown table about the rows of faults.lua: events whose wrong counter flips a diagnosis.
function confusion.flips(rows)
    local lines = { "| event | counts | programs | nothing told | wrong | told instead |", "|---|---|---|---|---|---|" }
    for _, row in ipairs(rows) do
        if row.lost ~= "0" or row.wrong ~= "0" then
            local some = row.told:match "^[^,]*,[^,]*,[^,]*" -- of many programs three
            lines[#lines + 1] = ("| %s | %s | %s | %s | %s | %s |"):format(row.event, FACTORS[row.factor], row.programs, row.lost,
                row.wrong, some and some ~= row.told and some .. ", .." or row.told)
        end
    end
    return lines
end

-- Text with `lines` in the place of this name, between its two comments.
local function place(page, name, lines)
    local made = "\n" .. table.concat(lines, "\n") .. "\n"
    return (page:gsub("(<!%-%- Made by `make pages` from " .. name:gsub("%p", "%%%0") .. " %-%->\n).-(<!%-%- End of what is made %-%->)",
        function(from, to) return from .. made .. to end))
end

-- The text of docs/diagnose.md with the matrices of `files`, and the tables of `flipped`, in their places. files = array of { arch, half,
-- text }; flipped = array of { arch, text }; truth = { [half] = rows of its list }.
function confusion.page(page, files, flipped, truth)
    local lines, flips = {}, {}
    for _, file in ipairs(files) do
        local rows = confusion.rows(file.text)
        local list = confusion.TRUTH[file.half]:match "[^/]*$"
        lines[#lines + 1] = ("### %s, %s\n\n%d of the %d rows of %s, on virtual nodes, version %s, %s.\n"):format(file.arch,
            file.half == "packages" and file.half or file.half .. " half", #rows, #truth[file.half], list, rows[1].version, rows[#rows].day)
        lists.append(lines, confusion.render(rows))
        lines[#lines + 1] = ""
    end
    for _, file in ipairs(flipped) do
        flips[#flips + 1] = ("### %s\n"):format(file.arch)
        lists.append(flips, confusion.flips(confusion.rows(file.text)))
        flips[#flips + 1] = ""
    end
    return place(place(page, "docs/diagnosis/*.tsv", lines), "docs/diagnosis/*.faults", flips)
end

return confusion
