-- lint_fixes.lua - does `assay lint --fix` make a wrong group count what the closed form says? SPDX-License-Identifier: GPL-3.0-or-later
--
-- usage: lua5.4 lint_fixes.lua ASSAY TABLE GROUPS, in an empty folder; GROUPS: LIKWID's installed groups
-- Each group of lint_fixes.tsv gets its faults, is measured, mended, and measured again. A metric must be wrong before and right after.
local assay, table_file, installed = arg[1], arg[2], arg[3]
local TOLERANCE = 0.01 -- cold caches of one of 100 iterations

local function run(command, ...)
    local pipe <close> = assert(io.popen(command:format(...)))
    return pipe:read "a"
end

local function write(path, text)
    local file <close> = assert(io.open(path, "w"))
    file:write(text)
end

local function read(path)
    local file <close> = assert(io.open(path))
    return file:read "a"
end

-- The text with OLD>NEW in the line of a metric; "-" for none.
local function with_fault(text, metric, fault)
    local old, new = fault:match "^(.-)>(.*)$"
    if not old then
        return text
    end
    local first, last = text:find("\n" .. metric .. " ", 1, true)
    local at, to = text:find(old, last, true)
    assert(first and at and at < text:find("\n", last, true), metric .. ": no " .. old)
    return text:sub(1, at - 1) .. new .. text:sub(to + 1)
end

-- Metrics by title, and likwid-bench's BYTES, FLOPS and TIME.
local function measure(node, bench, arch, name, text)
    local kernel, size, iterations = bench:match "(%S+) (%S+) (%S+)"
    run("mkdir -p home/.likwid/groups/%s", arch)
    write(("home/.likwid/groups/%s/%s.txt"):format(arch, name), text)
    local out = run("HOME=$PWD/home '%s' vnode --node %s -- likwid-perfctr -C 0 -O -g %s -m likwid-bench -t %s -w S0:%s:1 -i %s 2>log",
        assay, node, name, kernel, size, iterations)
    local found = { BYTES = tonumber(out:match "Data volume %(Byte%):%s+(%d+)"), FLOPS = tonumber(out:match "Number of Flops:%s+(%d+)") }
    for title, value in out:gmatch "\n([^,\n]+),([%d.e+-]+)" do
        found[title] = tonumber(value)
    end
    found.TIME = tonumber(out:match "\nTime:%s+([%d.e+-]+) sec")
    assert(found.BYTES and found.TIME, "no measurement: " .. out .. read "log")
    return found
end

local function node_of(words, arch)
    local fields = words:match "{(.*)}"
    if not fields then
        return "virtual:" .. words
    end
    write("node.lua", ("return { arch = '%s', %s }"):format(arch, fields))
    return "./node.lua"
end

local function is_right(found, row)
    local expected = assert(load("return " .. row.expected, row.expected, "t", found))()
    return math.abs((found[row.metric] or 0) / expected - 1) < TOLERANCE, found[row.metric], expected
end

local sets, order = {}, {}
for line in io.lines(table_file) do
    local node, group, bench, metric, fault, expected = line:match "^([^#\t]+)\t([^\t]+)\t([^\t]+)\t([^\t]+)\t([^\t]+)\t([^\t]+)$"
    if node then
        local key = node .. group .. bench
        sets[key] = sets[key] or { node = node, group = group, bench = bench, arch = node:match "^%w+" }
        order[#order + 1] = #sets[key] == 0 and sets[key] or nil
        table.insert(sets[key], { metric = metric, fault = fault, expected = expected })
    end
end

local mended, failed = 0, 0
for _, set in ipairs(order) do
    local folder, node = "groups/" .. set.arch, node_of(set.node, set.arch)
    run("mkdir -p groups && rm -rf %s && cp -r '%s/%s' groups && chmod -R u+w groups", folder, installed, set.arch)
    local file = ("%s/%s.txt"):format(folder, set.group)
    local text = read(file)
    for _, row in ipairs(set) do
        text = with_fault(text, row.metric, row.fault)
    end
    write(file, text)
    run("'%s' lint %s --fix 2>>log | patch -s -p1", assay, file)
    local before, after = measure(node, set.bench, set.arch, "XBAD", text), measure(node, set.bench, set.arch, "XMENDED", read(file))
    for _, row in ipairs(set) do
        local was, value = is_right(before, row)
        local is, now, expected = is_right(after, row)
        mended = mended + (is and not was and 1 or 0)
        failed = failed + (is and not was and 0 or 1)
        print(("%s %s %s: %s before, %s mended, %g expected%s"):format(set.arch, set.group, row.metric, value, now, expected,
            is and not was and "" or "  <-- wrong"))
    end
end
print(("%d mended, %d not"):format(mended, failed))
os.exit(failed == 0)
