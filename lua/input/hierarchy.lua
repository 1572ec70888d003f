-- hierarchy.lua - reads metric hierarchies and builds their trees for one architecture.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A line defines a metric; '#' begins a comment:
--     NAME = EVENT                 measured: a LIKWID event, with options as EVENT:OPTION=VALUE
--     NAME = A + B                 composed: the sum of other metrics or events, which are its children
--     NAME := (A - B) / 2          computed: any arithmetic on metrics and events; a leaf
--     NAME = none                  the processor has no such unit: a sum is complete without it
-- NAME may be followed by [unit], which children inherit, and the definition by "what it is".
--
-- A later file replaces definitions of earlier ones. The first file is the vocabulary: its names may lack a definition, which an
-- architecture's own file can give. A name that is still undefined cannot be counted: it is left out, and sums with it are partial
-- (`lacks`). If only some trees are wanted, the sums above them are partial, too.
local array = require "input.array"
local formula = require "input.formula"
local line_file = require "input.line_file"
local lists = require "input.lists"

local hierarchy = {}

local NAME = "[%a_][%w_]*"
local TERM = "^[%a_][%w_:=]*$"

local function fail_at(where, text, ...)
    error(("%s: "):format(where) .. text:format(...), 0)
end

-- Splits a line, without its comment, into name, unit, operator, definition, about.
local function cut(line, where)
    local about = line:match '"([^"]*)"%s*$'
    local rest = about and line:gsub('"[^"]*"%s*$', "") or line
    local left, operator, right = rest:match "^(.-)%s*(:?=)%s*(.-)%s*$"
    local name, unit = (left or ""):match("^(" .. NAME .. ")%s*(.-)$")
    local inner = unit and unit:match "^%[([^%]]+)%]$"
    if not name or right == "" or (unit ~= "" and not inner) then
        fail_at(where, "a line is 'NAME = EVENT', 'NAME = A + B' or 'NAME := expression', not '%s'", line)
    end
    return { name = name, unit = inner, operator = operator, text = right, about = about, where = where }
end

local function split_sum(one)
    local terms = {}
    for term in (one.text .. "+"):gmatch "%s*(.-)%s*%+" do
        if not term:find(TERM) then
            fail_at(one.where, "'%s' is no name of a metric or event; a sum is 'A + B', other arithmetic is ':='", term)
        end
        terms[#terms + 1] = term
    end
    return terms
end

local function parse(one)
    if one.operator == ":=" then
        local ok, parsed = pcall(formula.parse, one.text)
        if not ok then
            fail_at(one.where, "%s", parsed)
        end
        one.parsed = parsed
    elseif one.text == "none" then
        one.is_none = true
    else
        one.terms = split_sum(one)
    end
    return one
end

-- Refuses a second definition in the same file.
local function refuse_second(one, first)
    if (one.parsed == nil) ~= (first.parsed == nil) then
        fail_at(one.where, "%s is computed and cannot have children; its other definition is in line %s", one.name, first.line)
    end
    fail_at(one.where, "%s is defined twice, first in line %s", one.name, first.line)
end

local function read_file(file, defined, order)
    local own = {}
    line_file.each(file, function(line, number)
        local one = parse(cut(line:match "%S.*", ("%s:%d"):format(file.file, number)))
        one.is_shipped, one.line = file.is_shipped, number
        if own[one.name] then
            refuse_second(one, own[one.name])
        end
        if not defined[one.name] then
            order[#order + 1] = one.name
        end
        one.unit = one.unit or defined[one.name] and defined[one.name].unit
        one.about = one.about or defined[one.name] and defined[one.name].about
        own[one.name], defined[one.name] = one, one
    end)
end

local Tree = {}
Tree.__index = Tree

-- The event's name without options.
local function event_of(term)
    return term:match "^[^:]+"
end

local function as_event(term)
    return { event = event_of(term), options = term:match ":(.*)$" or "" }
end

-- The meaning of a name: a metric's definition, "event", or nil if undefined, which only names of the vocabulary may be.
function Tree:find(term, user)
    if self.defined[term] then
        return self.defined[term]
    elseif self.known[event_of(term)] then
        return "event"
    elseif not user.is_shipped and not self.vocabulary[term] then
        fail_at(user.where, "%s is neither a metric nor an event of %s; likwid-perfctr -e lists events", term, self.arch)
    end
    return nil
end

-- Can the metric be counted, at least in part? Reports cycles and unknown names.
function Tree:check(one, path)
    if self.has[one.name] ~= nil then
        return self.has[one.name]
    elseif path[one.name] then
        fail_at(one.where, "%s is part of itself: %s", one.name, table.concat(path, " -> ") .. " -> " .. one.name)
    end
    path[one.name], path[#path + 1] = true, one.name
    local all, some = true, false
    for _, term in ipairs(one.terms or one.parsed and one.parsed.names or {}) do
        local found = self:find(term, one)
        local is_there = found == "event" or found ~= nil and not found.is_none and self:check(found, path)
        all, some = all and is_there, some or is_there
    end
    path[one.name], path[#path] = nil, nil
    if one.parsed and #one.parsed.names == 0 then
        fail_at(one.where, "%s is computed from nothing; an expression has events in it", one.name)
    end
    self.has[one.name] = one.parsed and all or not one.parsed and some
    return self.has[one.name]
end

-- Finds each metric's parent and refuses a second one.
function Tree:find_parents()
    for _, name in ipairs(self.order) do
        local one = self.defined[name]
        for _, term in ipairs(one.terms or {}) do
            local before = self.parent[term]
            if self.defined[term] and before then
                fail_at(one.where, "%s is part of %s already (%s); give one of them a name of its own", term, before.name, before.where)
            end
            self.parent[term] = self.defined[term] and one or nil
        end
    end
end

function Tree:add(one, kind, parent, unit)
    local metric = { name = one.name, parent = parent, kind = kind, unit = one.unit or unit or "", text = one.text, where = one.where,
        about = one.about }
    self.metrics[#self.metrics + 1] = metric
    return metric, #self.metrics - 1
end

-- Adds the metric and its descendants, parents first. Above the wanted metrics (without `all`) only the path to them is added: such a
-- sum is partial until records of its other parts are merged (program/judge/algebra.lua).
function Tree:grow(one, parent, unit, all)
    all = all or self.wanted[one.name]
    if one.parsed then
        self:add(one, "computed", parent, unit)
        return
    elseif #one.terms == 1 and not self.defined[one.terms[1]] then
        self:add(one, "measured", parent, unit)
        return
    end
    local metric, index = self:add(one, "composed", parent, unit)
    for _, term in ipairs(one.terms) do
        local child = self.defined[term]
        if child and self.has[term] and (all or self.leads[term]) then
            self:grow(child, index, metric.unit, all)
        elseif not child and self.known[event_of(term)] and all then
            self:add({ name = term, text = term, where = one.where }, "measured", index, metric.unit)
        elseif not (child and child.is_none) then
            metric.lacks = metric.lacks or array()
            table.insert(metric.lacks, term)
        end
    end
end

-- Distinct events in the metric.
function Tree:events_of(one, events, seen)
    for _, term in ipairs(one.terms or one.parsed.names) do
        local child = self.defined[term]
        if child and self.has[term] then
            self:events_of(child, events, seen)
        elseif not child and self.known[event_of(term)] then
            lists.bin(seen, term, as_event(term), events)
        end
    end
    return events
end

-- What must be counted: the events of each computed metric together, and each measured metric's event.
function Tree:wants()
    local wants = array()
    for _, metric in ipairs(self.metrics) do
        if metric.kind == "computed" then
            wants[#wants + 1] = { name = metric.name, events = self:events_of(self.defined[metric.name], array(), {}) }
        elseif metric.kind == "measured" then
            wants[#wants + 1] = { name = metric.name, events = array { as_event(metric.text) } }
        end
    end
    return wants
end

-- Marks the metric and its ancestors as leading to a wanted one; returns the root.
function Tree:root_of(one)
    self.leads[one.name] = true
    local above = self.parent[one.name]
    return above and self:root_of(above) or one
end

-- Roots of trees: metrics without a parent; for `wanted` "A,B" the roots of these.
function Tree:roots(wanted)
    local roots, seen = {}, {}
    for name in (wanted or ""):gmatch "[^,]+" do
        local one = self.defined[name]
        if not one then
            error(("--tree %s: no such metric; assay analyse --plan prints all"):format(name), 0)
        elseif not self.has[name] then
            error(("--tree %s: %s has no events for it"):format(name, self.arch), 0)
        end
        local root = self:root_of(one)
        roots[#roots + 1] = not seen[root] and root or nil
        self.wanted[name], seen[root] = true, true
    end
    for _, name in ipairs(wanted and {} or self.order) do
        roots[#roots + 1] = not self.parent[name] and self.has[name] and self.defined[name] or nil
    end
    return roots
end

-- { files = array of { text =, file =, is_shipped = |nil }, the first one the vocabulary, list = event_list.read(), arch =, trees =
-- "A,B": only these metrics, their descendants, and the paths to them |nil } -> { metrics = of the analysis record, wants =
-- as in program/plan/program.lua, hierarchy = names of the files }
function hierarchy.read(argument)
    local tree = setmetatable({ defined = {}, order = {}, known = lists.set(argument.list, "event"), vocabulary = {}, has = {}, parent = {},
        metrics = array(), wanted = {}, leads = {}, arch = argument.arch }, Tree)
    local names = array()
    for number, file in ipairs(argument.files) do
        read_file(file, tree.defined, tree.order)
        names[number] = file.file
        if number == 1 then
            tree.vocabulary = lists.set(lists.flat(tree.order, function(name) return tree.defined[name].terms end))
        end
    end
    for _, name in ipairs(tree.order) do
        tree:check(tree.defined[name], {})
    end
    tree:find_parents()
    for _, root in ipairs(tree:roots(argument.trees)) do
        tree:grow(root, nil, nil, not argument.trees)
    end
    return { metrics = tree.metrics, wants = tree:wants(), hierarchy = names }
end

return hierarchy
