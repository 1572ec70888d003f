-- fix.lua - mends group files where a rule knows how, as a unified diff. SPDX-License-Identifier: GPL-3.0-or-later
--
-- A finding's `fix` (lint/rules/) changes the formula of one metric: { metric =, and
--   replace = names, by = names    counters with the options that EVENTSET has
--   add = { { to = name, names = names } .. }    counters to be added to the sum that has `to`
--   weigh = name, to = number      the number that an event is multiplied with
--   scale = number, to = number    the power of ten }
-- A file's changes are given only if rules about one group find nothing in the mended lines.
local linted = require "lint.linted"
local lint = require "lint.lint"
local lists = require "input.lists"

local fix = {}

local CONTEXT = 3 -- lines around a change
local ROUNDS = 3 -- a mended metric may show that another one, which agreed with it, is wrong

local function pattern_of(text)
    return (text:gsub("%p", "%%%0"))
end

-- The formula with other names; options belong to names.
local function renamed(formula, new_name)
    return (formula:gsub("%f[%w_:=][%a_][%w_:=]*", new_name))
end

local function number_text(value)
    local power = math.log(value, 10)
    return power < 0 and ("1.0E%03d"):format(math.floor(power + 0.5)) or ("%.1f"):format(value)
end

local function with_options(formula, change)
    return renamed(formula, function(name)
        for i, old in ipairs(change.replace) do
            if name == old then
                return change.by[i]
            end
        end
    end)
end

-- A counter that is multiplied, divided or subtracted becomes a sum in parentheses.
local function with_more(formula, change)
    return (formula:gsub("()%f[%w_:=]([%a_][%w_:=]*)()", function(first, name, behind)
        local one = lists.find(change.add, function(add) return add.to == name end)
        local sum = one and name .. "+" .. table.concat(one.names, "+")
        local is_alone = sum and (formula:find("^%s*[*/]", behind) or formula:sub(1, first - 1):find "[*/-]%s*$")
        return is_alone and "(" .. sum .. ")" or sum
    end))
end

local function with_weight(formula, change)
    local name, weight = pattern_of(change.weigh), number_text(change.to)
    local mended, count = formula:gsub(name .. "%f[^%w_:=]%*[%d.]+", change.weigh .. "*" .. weight)
    return count > 0 and mended or (formula:gsub("[%d.]+%*" .. name .. "%f[^%w_:=]", weight .. "*" .. change.weigh))
end

local function with_scale(formula, change)
    return (formula:gsub("%f[%w.]%d[%d.]*[eE][+-]?%d+", function(number)
        return linted.is_one(tonumber(number) / change.scale) and number_text(change.to) or nil
    end, 1))
end

local function mended(change)
    local apply = change.replace and with_options or change.add and with_more or change.weigh and with_weight or with_scale
    return apply(change.metric.formula, change)
end

-- { [line number] = new line } of a file's lines, for the fixes that change something.
local function changes_of(lines, findings)
    local changed = {}
    for _, finding in ipairs(findings) do
        local formula = finding.fix.metric.formula
        local line = changed[finding.line] or lines[finding.line]
        local first = not changed[finding.line] and #line:gsub("%s+$", "") - #formula + 1
        local new = first and line:sub(first, first + #formula - 1) == formula and mended(finding.fix)
        changed[finding.line] = new and new ~= formula and line:sub(1, first - 1) .. new .. line:sub(first + #formula)
            or changed[finding.line]
    end
    return changed
end

-- The changes of a file, { [line number] = new line }. There are none if the mended text has a finding in any changed line: a partial fix
-- would hide the other fault.
local function changes(check, file, lines, findings)
    local now, changed = lists.first(lines, #lines), {}
    for _ = 1, ROUNDS do
        local more = changes_of(now, lists.filter(findings, "fix"))
        if not next(more) then
            break
        end
        for number, line in pairs(more) do
            now[number], changed[number] = line, line
        end
        findings = check(table.concat(now, "\n"), file)
    end
    return lists.any(findings, function(finding) return changed[finding.line] end) and {} or changed
end

local function add_hunk(out, lines, changed, first, last)
    local from, to = math.max(1, first - CONTEXT), math.min(#lines, last + CONTEXT)
    out[#out + 1] = ("@@ -%d,%d +%d,%d @@"):format(from, to - from + 1, from, to - from + 1)
    for i = from, to do
        out[#out + 1] = changed[i] and "-" .. lines[i] or " " .. lines[i]
        out[#out + 1] = changed[i] and "+" .. changed[i] or nil
    end
end

local function plain(path)
    return (path .. "/"):gsub("//+", "/"):gsub("^%./", ""):gsub("/%./", "/"):gsub("^/", "")
end

-- A file's name in the patch: in LIKWID's tree from its top, and never absolute, which no tool applies. A tab ends a name with blanks.
local function name_in_patch(file, tree)
    local name, top = plain(file):sub(1, -2), tree and plain(tree) or ""
    name = name:sub(1, #top) == top and name:sub(#top + 1) or name
    return name .. (name:find " " and "\t" or "")
end

-- What patch and git apply need behind the last line of a file that does not end it.
local function mark_end(lines, changed)
    for _, of in ipairs { lines, changed } do
        of[#lines] = of[#lines] and of[#lines] .. "\n\\ No newline at end of file"
    end
end

local function add_diff(out, name, lines, changed)
    local numbers, first = lists.sorted(changed), 1
    lists.append(out, { "--- a/" .. name, "+++ b/" .. name })
    for i, number in ipairs(numbers) do
        if not numbers[i + 1] or numbers[i + 1] - number > 2 * CONTEXT then
            add_hunk(out, lines, changed, numbers[first], number)
            first = i + 1
        end
    end
end

-- lint.findings()' argument, tree = LIKWID's sources |nil -> { text = unified diff, mended = number of lines, findings = of all findings }
function fix.patch(argument)
    local found, check = lint.found(argument)
    local out, count = {}, 0
    local _, by_file = lists.group(lists.filter(found, "fix"), "file")
    for _, file in ipairs(argument.files) do
        local findings = by_file[file.file]
        if findings then
            local lines = lists.words((file.text:gsub("\n$", "")), "([^\n]*)\n?")
            local changed = changes(check, file, lines, findings)
            if next(changed) then
                if not file.text:find "\n$" then
                    mark_end(lines, changed)
                end
                add_diff(out, name_in_patch(file.file, argument.tree), lines, changed)
                count = count + #lists.sorted(changed)
            end
        end
    end
    return { text = #out > 0 and table.concat(out, "\n") .. "\n" or "", mended = count, findings = #found }
end

return fix
