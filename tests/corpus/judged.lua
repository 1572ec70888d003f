-- judged.lua - are the findings of tests/corpus/judged still reported, and the wrong ones not? SPDX-License-Identifier: GPL-3.0-or-later
--
-- usage: lua5.4 tests/corpus/judged.lua LIKWID PERFMON; clones of github RRZE-HPC/likwid and intel/perfmon with their histories
package.path = "lua/?.lua;" .. package.path
local lists = require "input.lists"

local COMMITS = { "d9c523b1", "6dadedf3" }
local PATHS = { "groups src/topology.c src/perfmon.c src/includes", "." }

local function run(command)
    local pipe <close> = assert(io.popen(command))
    return pipe:read "a"
end

if not arg[2] then
    io.stderr:write("usage: lua5.4 tests/corpus/judged.lua LIKWID PERFMON\n")
    os.exit(2)
end
for i, commit in ipairs(COMMITS) do
    if not os.execute(("git -C '%s' cat-file -e '%s^{commit}' 2>/dev/null"):format(arg[i], commit)) then
        io.stderr:write(("%s: no clone with commit %s\n"):format(arg[i], commit))
        os.exit(2)
    end
end
local folder = run "mktemp -d":match "[^\n]+"
for i, commit in ipairs(COMMITS) do
    run(("mkdir %s/%d && git -C '%s' archive %s %s | tar -x -C %s/%d"):format(folder, i, arg[i], commit, PATHS[i], folder, i))
end
local found, count = {}, 0
local text = run(("build/assay lint --likwid-source %s/1 --perfmon %s/2"):format(folder, folder))
for file, line, rule in text:gmatch("\n?" .. folder .. "/1/([^:\n]+):(%d+):[^\n]* %[([%w-]+)%]") do
    found[("%s %s %s"):format(file, line, rule)], count = true, count + 1
end
os.execute("rm -r " .. folder)

local number, others = {}, 0
for line in io.lines "tests/corpus/judged" do
    local key, judged = line:match "^(%w%S+ %d+ %S+) (%a+)"
    if key then
        number[judged] = (number[judged] or 0) + 1
        local is_as_judged = (judged ~= "mended") == (found[key] or false)
        others = others + (is_as_judged and 0 or 1)
        if not is_as_judged then
            print(("%s: judged %s, %s"):format(key, judged, found[key] and "reported" or "not reported"))
        end
    end
end
print(("%d findings; judged: %s"):format(count, lists.join(lists.sorted(number), ", ", function(judged)
    return ("%d %s"):format(number[judged], judged)
end)))
os.exit(others == 0)
