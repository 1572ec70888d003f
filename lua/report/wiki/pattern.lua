-- pattern.lua - a pattern's page, made from its specification only: pattern file and program.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   page.render{ pattern =, text = the pattern file, program = the program's source|nil, model = the source of a model that several
--                patterns share|nil }
--     -> the page, Markdown
-- Comments of these files are part of the specification. A pattern file's first comment begins "Title: what runs." and continues with the
-- model's derivation; so does a shared model's. A program's first comment describes in more detail what runs.
local controls = require "plan.controls"
local expression = require("report.signature_text").expression
local lists = require "input.lists"
local text = require "report.wiki.text"

local page = {}

local PLACES = {
    core = "one core",
    pair = "two cores of a socket",
    across = "a core of each of two sockets",
    domain = "all cores of a NUMA domain",
    socket = "all cores of a socket",
}

-- The first comment of a file as { line .. }, without comment marks and licence.
local function first_comment(source, mark, close)
    local found = {}
    for line in source:gmatch "[^\n]*" do
        local said = line:match(mark)
        if not said then
            break
        end
        local is_last = close and line:find(close, 1, true)
        local text_of_line = said:gsub("%s*%*/.*$", ""):gsub("%s*SPDX.*$", "")
        if text_of_line ~= "" or not said:find "SPDX" then
            found[#found + 1] = text_of_line
        end
        if is_last then
            break
        end
    end
    while found[#found] == "" do
        found[#found] = nil
    end
    return found
end

-- The text about what runs, and the lines of the derivation.
local function split_head(source)
    local lines = first_comment(source, "^%-%-%s?(.*)$")
    local runs = table.remove(lines, 1):match ": (.*)$"
    while lines[1] == "" do
        table.remove(lines, 1)
    end
    return runs, lines
end

-- A program's first comment as paragraphs; the first one begins after "NAME.c - ".
local function describe_program(source)
    local paragraphs = { "" }
    for _, line in ipairs(first_comment(source, "^[/ ]%*+%s?(.*)$", "*/")) do
        if line == "" then
            paragraphs[#paragraphs + 1] = ""
        else
            local so_far = paragraphs[#paragraphs]
            paragraphs[#paragraphs] = so_far .. (so_far ~= "" and " " or "") .. line:gsub("^[%w_]+%.c %- ", "")
        end
    end
    return paragraphs
end

local function capital(sentence)
    return sentence:find "^%l [+]?=" and sentence or (sentence:gsub("^%l", string.upper)) -- a formula keeps its case
end

-- The control that a code is; if levels distinguish the controls, add_signature names them.
local function control_of(pattern, name)
    for _, which in ipairs(controls.NAMES) do
        local control = (pattern.controls or {})[which]
        if control and control.code == name then
            return "pattern " .. which .. (control.thread and (", thread %d"):format(control.thread) or "")
        end
    end
    return ""
end

local function add_codes(lines, pattern)
    local rows = lists.map(pattern.codes, function(code)
        local calls = lists.join(code.calls or {}, ", ", text.code)
        local runs = code.kernel and "kernel " .. text.code(code.kernel) or code.runs and "function " .. text.code(code.runs) or ""
        return { text.code(code.name), runs .. (calls ~= "" and ", which calls " .. calls or ""),
            control_of(pattern, code.name) }
    end)
    text.add_table(lines, { "code", "counted in its machine code", "control" }, rows)
end

local function list_places(words)
    return lists.join(words, ", and on ", function(word) return PLACES[word] or word end)
end

-- Numbers of the points, in the file's order.
local function add_points(lines, pattern)
    text.add(lines, "Measured on %s, at these points (those of `--quick` are marked):", list_places(pattern.placements))
    local names = pattern.parameters or { "elements", "passes" }
    local columns = lists.append({ "code" }, names, function(name) return ">" .. name end)
    columns[#columns + 1] = "quick"
    local rows = lists.map(pattern.points, function(point)
        local row = { point.code and text.code(point.code) or point.data and text.escape(point.data) or "all" }
        lists.append(row, names, function(name)
            local base = point.base and point.base[name]
            return ("%d"):format(point[name]) .. (base and (" (base %d)"):format(base) or "")
        end)
        return lists.append(row, { point.quick and "x" or "" })
    end)
    text.add_table(lines, columns, rows)
end

local function add_levels(lines, pattern)
    local rows = lists.map(pattern.levels, function(level)
        return { level.name, table.concat(level.boundaries, ", "), table.concat(level.against or {}, ", "),
            list_places(level.placements), ("%d (%d)"):format(level.points, level.points_quick) }
    end)
    text.add_table(lines, { "data in", "boundaries shown", "and next to them", "on", ">sizes (`--quick`)" }, rows)
end

local function add_signature(lines, pattern)
    if pattern.signature then
        text.add(lines, "The pattern is recognised by **%s**, which is compared between the two controls.", text.escape(pattern.signature))
    elseif pattern.levels then
        local function place(control)
            return ("data in %s on %s"):format(control.level, PLACES[control.placement] or "any cores")
        end
        local of = pattern.controls
        text.add(lines, "Controls: the pattern is present with %s, absent with %s.", place(of.present), place(of.absent))
    end
end

local function name_of(names)
    return type(names) == "table" and table.concat(names, " or ") or names
end

local function describe_test(test)
    return (test.spread and "largest over smallest of the threads' " or "") .. expression(test, name_of)
end

-- Adds the tests that detect the pattern in any program, if they are more than its signature, and patterns whose controls show it,
-- too.
local function add_tests(lines, pattern)
    if pattern.tests then
        text.add(lines, "In any program the pattern is present if all of these pass their thresholds, which come from a record's "
            .. "own controls (`assay signatures`):")
        lists.append(lines, pattern.tests, function(test) return "- " .. text.escape(describe_test(test)) end)
        lines[#lines + 1] = ""
    end
    if pattern.also then
        local rows = lists.map(pattern.also, function(also)
            return { text.code(also.pattern), also.control or "both", text.escape(also.reason) }
        end)
        text.add_table(lines, { "other pattern whose code shows it, too", "which control", "because" }, rows)
    end
end

function page.render(given)
    local pattern, lines = given.pattern, {}
    local runs, derivation = split_head(given.text)
    text.add(lines, "<!-- Made by `make pages` from patterns/%s.lua, its program and groups/: change these. -->", pattern.name)
    text.add(lines, "# %s", text.escape(pattern.title))
    text.add(lines, "Class: %s. Measured by `assay validate %s`.", pattern.class, pattern.name)
    text.add(lines, "%s", text.escape(pattern.about))
    text.add(lines, "## How the code shows it")
    for _, paragraph in ipairs(given.program and describe_program(given.program) or { runs }) do
        text.add(lines, "%s", capital(text.escape(paragraph)))
    end
    add_codes(lines, pattern)
    if pattern.levels then
        add_levels(lines, pattern)
    else
        add_points(lines, pattern)
    end
    text.add(lines, "## What is expected")
    if given.model then
        local _, general = split_head(given.model)
        lists.append(derivation, general)
    end
    text.add(lines, "```text\n%s\n```", table.concat(derivation, "\n"))
    text.add(lines, "## What is counted")
    text.add(lines, "Wanted: %s.", text.escape(pattern.desired))
    add_signature(lines, pattern)
    add_tests(lines, pattern)
    text.add(lines, "[Architectures](../architectures/README.md): groups, metrics and events that show this, and what cannot be counted.")
    text.add(lines, "## In your own code")
    text.add(lines, "%s", text.escape(pattern.advice))
    return (table.concat(lines, "\n"):gsub("\n+$", "\n"))
end

return page
