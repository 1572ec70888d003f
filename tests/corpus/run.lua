-- run.lua - runs `assay lint`'s rules on the faults of results/published/likwid-fixes: lua5.4 tests/corpus/run.lua LIKWID [NUMBER]
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- LIKWID: a clone of github RRZE-HPC/likwid with its history. Each file is linted with the architecture's other groups and the event tables
-- as they were at the parent of the fix, and again at the fix; rules about all architectures get all groups. Prints each file that is not
-- as the case says, recall and false alarms; exit status 1 unless 95 % are seen before and none after.
package.path = "lua/?.lua;" .. package.path
local fixes = require "input.fixes"
local lint = require "lint.lint"
local lists = require "input.lists"

local ABOUT = lists.index(require "lint.rules", "name")

local clone, only = arg[1], arg[2]
if not clone then
    io.stderr:write("usage: lua5.4 tests/corpus/run.lua LIKWID [NUMBER]; LIKWID is a clone with history\n")
    os.exit(2)
end

if not os.execute(("git -C '%s' rev-parse --git-dir >/dev/null 2>&1"):format(clone)) then
    io.stderr:write(clone .. ": no clone of github RRZE-HPC/likwid\n")
    os.exit(2)
end

local function read(path)
    local file <close> = assert(io.open(path))
    return file:read "a"
end

local function run(command, ...)
    local pipe <close> = assert(io.popen(command:format(...)))
    return pipe:read "a"
end

local function files_of(folder, paths)
    local wanted, files, source = lists.set(paths), {}, {}
    for path in run("cd %s && find . -type f -printf '%%P\\n'", folder):gmatch "[^\n]+" do
        local is_group, is_table = path:find "^groups/", path:find "_events%.txt$"
        local one = { file = path, text = read(folder .. "/" .. path) }
        if is_group or is_table and wanted[path] then
            files[#files + 1] = { file = path, text = one.text, kind = is_group and "group" or "table", shown = wanted[path] or false }
        end
        source[#source + 1] = not is_group and one or nil
    end
    return files, source
end

local vendor = {}
for path in run "ls build/groups/*/pmu.vendor":gmatch "[^\n]+" do
    vendor[#vendor + 1] = { arch = path:match "([^/]+)/pmu", text = read(path) }
end

-- { [path] = { [rule] = number of findings whose text has `word` } } at a commit; a path that is not there is left out.
local function look(commit, paths, word, rule)
    local folder = run "mktemp -d":match "[^\n]+"
    local folders = ABOUT[rule].about == "all" and { "groups" }
        or lists.sorted(lists.set(paths, function(path) return path:match "^groups/[^/]+" or "src/includes" end))
    os.execute(("git -C '%s' archive %s src/topology.c src/perfmon.c src/includes %s 2>/dev/null | tar -x -C %s --wildcards "
        .. "'src/*.c' 'src/includes/perfmon_*' 'groups/*.txt' 2>/dev/null"):format(clone, commit, table.concat(folders, " "), folder))
    local files, source = files_of(folder, paths)
    local found = {}
    for _, file in ipairs(files) do
        found[file.file] = file.shown and {} or nil
    end
    for _, finding in ipairs(lint.findings { files = files, source = source, listed = {}, vendor = vendor, perfmon = {} }) do
        local has_word = finding.what:find(word, 1, true) and 1 or 0
        found[finding.file][finding.rule] = (found[finding.file][finding.rule] or 0) + has_word
    end
    os.execute("rm -r " .. folder)
    return found
end

local cases, seen, left, skipped = 0, 0, 0, 0
for _, fix in ipairs(fixes.read(read "results/published/likwid-fixes")) do
    if not fix.rule then
        skipped = skipped + #fix.files
    elseif not only or only == fix.number then
        local paths = lists.map(fix.files, "path")
        local before, after = look(fix.commit .. "^", paths, fix.word, fix.rule), look(fix.commit, paths, fix.word, fix.rule)
        for _, path in ipairs(paths) do
            local was = before[path] and before[path][fix.rule] or 0
            local is = after[path] and after[path][fix.rule] or 0
            local is_seen, is_wrong = was > (fix.left and is or 0), is > 0 and not fix.left
            cases, seen = cases + 1, seen + (is_seen and 1 or 0)
            left = left + (is_seen and is_wrong and 1 or 0)
            if not is_seen or is_wrong then
                print(("%s %s %s: %s: %d before, %d after"):format(fix.number, fix.commit, path, fix.rule, was, is))
            end
        end
    end
end
print(("recall: %d of %d files with a static fault (%.1f %%); %d files with other faults"):format(seen, cases, 100 * seen / cases, skipped))
print(("false alarms: %d files are reported after the fix as well"):format(left))
os.exit(seen >= 0.95 * cases and left == 0)
