-- cube.lua - exports an analysis record as the contents of CUBE 4 files, for the browser of Scalasca and Score-P.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A CUBE 4 file (.cubex) describes metrics, call tree and system in XML (anchor.xml) and has the values of each metric in a binary file
-- (validate/record/cubex.h). Its metrics are inclusive, as Assay's are; CUBE 3 (a single XML text, read for compatibility only) would
-- need exclusive ones. A region becomes a call path of one call, because LIKWID does not record nesting. CUBE has no absent values: a
-- region without values has no row, a thread without a value has 0. Ratios are left out, because the browser sums values.
local faults = require "report.faults"
local array = require "input.array"
local lists = require "input.lists"
local trees = require "program.report.trees"

local cube = {}

local VERSION = "4.4" -- of anchor.xml
local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&apos;" }

local function add(lines, format, ...)
    lines[#lines + 1] = format:format(...)
end

-- Escapes the characters that XML reserves or forbids.
local function escape(text)
    return (text:gsub("\xEF\xBF[\xBE\xBF]", "?"):gsub("[&<>\"']", ESCAPES))
end

local function add_attribute(lines, key, value)
    add(lines, '<attr key="%s" value="%s"/>', key, escape(value))
end

local function add_attributes(lines, record, left_out)
    local node = record.node
    add_attribute(lines, "Creator", "Assay " .. record.assay)
    add_attribute(lines, "Node", ("%s %s"):format(node.kind, node.name))
    if node.kind == "virtual" then
        add_attribute(lines, "Warning", "measured on a virtual node: no evidence about silicon")
    end
    local injected = faults(record)
    if #injected > 0 then
        add_attribute(lines, "Injected faults", table.concat(injected, "; "))
    end
    add_attribute(lines, "Started", record.started)
    add_attribute(lines, "Program", table.concat(record.command, " "))
    if #left_out > 0 then
        add_attribute(lines, "Left out, as they do not add up", table.concat(left_out, ", "))
    end
end

-- Rows of a metric: { cnode =, values = one per leaf } for each region with a value; and whether one of them is partial.
local function rows_of(record, found, metric)
    local rows, is_partial = array(), false
    for region = 0, #record.regions - 1 do
        local values = lists.map(found.leaves, function(leaf)
            local cell = found.cell(metric, region, leaf)
            return cell and cell.value or 0
        end)
        local total = trees.total(found, metric, { region }, found.leaves)
        if total then
            is_partial = is_partial or total.partial
            rows[#rows + 1] = { cnode = region, values = array(values) }
        end
    end
    return rows, is_partial
end

-- Metrics that the cube can have: index in the record -> { rows =, is_partial = }; and the names of the others.
local function choose(record, found)
    local chosen, left_out = {}, {}
    for i, metric in ipairs(found.metrics) do
        local rows, is_partial = rows_of(record, found, i - 1)
        if not metric.is_sum then
            left_out[#left_out + 1] = metric.name
        elseif #rows > 0 then
            chosen[i - 1] = { rows = rows, is_partial = is_partial }
        end
    end
    return chosen, left_out
end

local function add_metrics(lines, record, found, chosen)
    local children = trees.children(found.metrics)
    local function visit(list)
        for _, i in ipairs(list) do
            local metric, one = record.metrics[i + 1], chosen[i]
            if one then
                add(lines, '<metric id="%d" type="EXCLUSIVE">', i)
                add(lines, "<disp_name>%s%s</disp_name><uniq_name>%d %s</uniq_name><dtype>DOUBLE</dtype><uom>%s</uom><url></url>",
                    one.is_partial and "~" or "", escape(metric.name), i, escape(metric.name), escape(metric.unit))
                add(lines, "<descr>%s</descr>", escape(("%s: %s%s"):format(metric.kind, metric.text, metric.about and "; " .. metric.about
                    or "")))
            end
            visit(children[i]) -- children of a metric that is left out take its place
            if one then
                add(lines, "</metric>")
            end
        end
    end
    add(lines, "<metrics>")
    visit(children[-1])
    add(lines, "</metrics>")
end

local function add_program(lines, record, found)
    add(lines, "<program>")
    for _, node in ipairs(found.regions) do
        if node.kind == "region" then
            add(lines, '<region id="%d" mod="" begin="-1" end="-1"><name>%s</name><mangled_name>%s</mangled_name>'
                .. "<paradigm>user</paradigm><role>region</role><url></url><descr></descr></region>", node.of[1], escape(node.name),
                escape(node.name))
        end
    end
    for region = 0, #record.regions - 1 do
        add(lines, '<cnode id="%d" calleeId="%d"></cnode>', region, region)
    end
    add(lines, "</program>")
end

-- Names of system nodes; a process is named by its rank, which its first leaf gives.
local SYSTEM = {
    host = function(node) return ("<name>%s</name><class>node</class>"):format(escape(node.name)), "systemtreenode" end,
    process = function(node, leaf)
        return ("<name>%s</name><rank>%d</rank><type>process</type>"):format(node.name, leaf.process), "locationgroup"
    end,
    thread = function(node, leaf)
        return ("<name>%s</name><rank>%d</rank><type>thread</type>"):format(node.name, leaf.thread), "location"
    end,
    group = function(node) return ("<name>%s</name><class>machine</class>"):format(escape(node.name)), "systemtreenode" end,
}

-- Locations are numbered like the leaves, other nodes within their kind.
local function add_system(lines, record, found)
    local children, numbers = trees.children(found.system), { systemtreenode = 0, locationgroup = 0 }
    local function visit(list)
        for _, i in ipairs(list) do
            local node = found.system[i + 1]
            local place = node.of[1]
            local text, element = SYSTEM[node.kind](node, record.system[place + 1])
            local number = numbers[element]
            if number then
                numbers[element] = number + 1
            end
            add(lines, '<%s Id="%d">%s', element, number or place, text)
            visit(children[i])
            add(lines, "</%s>", element)
        end
    end
    add(lines, "<system>")
    visit(children[-1])
    add(lines, "<topologies></topologies></system>")
end

-- { record =, file = its name } -> { anchor = text, metrics = array of { id =, rows = array of { cnode =, values = } } }
function cube.export(argument)
    local record = argument.record
    local found = trees.of(record)
    local chosen, left_out = choose(record, found)
    local lines = { '<?xml version="1.0" encoding="UTF-8"?>', ('<cube version="%s">'):format(VERSION) }
    add_attributes(lines, record, left_out)
    add_metrics(lines, record, found, chosen)
    add_program(lines, record, found)
    add_system(lines, record, found)
    add(lines, "</cube>")
    local metrics = array(lists.map(lists.sorted(chosen), function(i) return { id = i, rows = chosen[i].rows } end))
    if #metrics == 0 then
        error(("%s: nothing in it has a value that adds up; there is no cube of it"):format(argument.file or "?"), 0)
    end
    return { anchor = table.concat(lines, "\n") .. "\n", metrics = metrics }
end

return cube
