-- run.lua - `assay diagnose` on the programs of truth.tsv or packages.tsv, and the confusion matrix:
--     lua5.4 tests/diagnosis/run.lua ARCH HALF [MOST [PROGRAM]]
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- HALF: open or kept, of truth.tsv, or packages: packages.tsv (README.md). MOST: largest number of threads; 8 by default. PROGRAM: this one
-- only. Each program is diagnosed on a virtual node of its size: one with pipelines if it has one thread; several threads are spread over
-- two sockets. A row of results is appended to BUILD/confusion/ARCH-HALF.tsv; rows that are there are not measured again. Verdicts:
-- BUILD/confusion/ARCH.json, made by a quick campaign if it is not there. Records of diagnoses stay next to it. Prints the matrix, then the
-- programs whose answer is not right.
package.path = "lua/?.lua;" .. package.path
local campaign = dofile "tests/campaign.lua"
local confusion = dofile "tests/diagnosis/confusion.lua"
local lists = require "input.lists"
local BUILD = campaign.BUILD

local arch, half, most, only = arg[1], arg[2], tonumber(arg[3] or 8), arg[4]
local TRUTH = confusion.TRUTH[half]
if not most or not TRUTH then
    io.stderr:write("usage: lua5.4 tests/diagnosis/run.lua ARCH open|kept|packages [MOST [PROGRAM]]\n")
    os.exit(2)
end
local FOLDER = BUILD .. "/confusion"
local VERDICTS, RESULTS = ("%s/%s.json"):format(FOLDER, arch), ("%s/%s-%s.tsv"):format(FOLDER, arch, half)

local function exists(path)
    local file = io.open(path)
    return file and file:close()
end

local function verdicts()
    if not exists(VERDICTS) then
        print(("verdicts of %s: one quick campaign"):format(arch))
        campaign.must(("%s/assay validate --quick --node virtual:%s-2x2 --out %s"):format(BUILD, arch, VERDICTS))
    end
    return campaign.read_json(VERDICTS)
end

-- The environment, and options with the program. `command` is for a shell; $OUT is the folder of the programs that were built.
local function words_of(row)
    if not row.command then
        return "", ("-- %s/tests/diagnosis/%s %s"):format(BUILD, row.program, row.arguments)
    end
    local ranks = tonumber(row.ranks)
    return ("OMP_NUM_THREADS=%d OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "):format(
        row.count // (ranks or 1)), (ranks and ("--ranks %d -- "):format(ranks) or "-- ")
        .. row.command:gsub("%$OUT", BUILD .. "/tests/diagnosis/packages")
end

local function measure(row)
    local threads = row.count
    local node = threads == 1 and arch .. "-1x2+pipeline" or ("%s-2x%d"):format(arch, threads // 2)
    local file = ("%s/%s-%s-%d.json"):format(FOLDER, arch, row.program, threads)
    local environment, words = words_of(row)
    campaign.must(("%s%s/assay diagnose --node virtual:%s --cores 0-%d --record %s --out %s %s"):format(environment, BUILD, node,
        threads - 1, VERDICTS, file, words))
    local record = campaign.read_json(file)
    return confusion.tell({ program = row.program, threads = tostring(threads), patterns = row.patterns, node = "virtual:" .. node,
        version = record.assay, day = record.started:sub(1, 10) }, record.findings)
end

local function add(line)
    local is_new = not exists(RESULTS)
    local file <close> = assert(io.open(RESULTS, "a"))
    file:write(is_new and table.concat(confusion.COLUMNS, "\t") .. "\n" or "", line, "\n")
end

campaign.must("mkdir -p " .. FOLDER)
local node = verdicts().node
io.stdout:setvbuf "line"
local wanted, done = {}, {}
for _, row in ipairs(exists(RESULTS) and confusion.rows(campaign.read(RESULTS)) or {}) do
    done[row.program .. " " .. row.threads] = true
end
for _, row in ipairs(confusion.rows(campaign.read(TRUTH))) do
    row.index, row.count = #wanted, tonumber(row.threads) or 1
    local is_wanted = (row.half or "packages") == half and row.count <= most and row.program == (only or row.program)
    wanted[#wanted + 1] = is_wanted and confusion.holds(row.needs or "-", node) and row or nil
end
table.sort(wanted, lists.by("count", "index")) -- the fast ones first
for i, row in ipairs(wanted) do
    if not done[row.program .. " " .. row.count] then
        print(("%d/%d %s %s"):format(i, #wanted, row.program, row.arguments or ""))
        add(confusion.line(measure(row)))
    end
end
local is_wanted = lists.index(wanted, function(row) return row.program .. " " .. row.count end)
print(table.concat(confusion.render(lists.filter(confusion.rows(campaign.read(RESULTS)), function(row)
    return is_wanted[row.program .. " " .. row.threads] -- others were in this half before
end)), "\n"))
