-- run.lua - laws between counters on many programs: each must hold, be broken by some fault, and faults must be found and blamed.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--     lua5.4 tests/laws/run.lua [--node NODE] [--program TEXT] [--inject N] [--clean] [--all] [--keep FOLDER]
--
-- from the project's folder; BUILD as for make. The programs of programs.lua must be built (make whole_programs) and installed. Each
-- program (--program: each with TEXT in its name) is measured once without faults; then its counts are changed, event by event, and judged
-- again (assess.lua of this folder says how); with --clean only the measured counts are judged. --inject N: N of the faults that are named,
-- spread over all, are injected into the virtual node, and a line of blame must name the event. --all prints every fault. --keep FOLDER
-- keeps the results of assess.lua in FOLDER, and reuses those that are there. Prints for each law the smallest change that it would have
-- shown on any program; then the numbers of laws that hold, of laws that some fault breaks, and of faults that are found.
-- Exit status 1 if a law does not hold, is broken by no fault, or if less than SHARE of the events are found.
local campaign = dofile "tests/campaign.lua"
local BUILD, must = campaign.BUILD, campaign.must
local SHARE = 0.9
local KINDS = { node = "text", program = "text", inject = "number", clean = "flag", all = "flag", keep = "text" }

-- mpirun needs this if the tests run as root
local AS_ROOT = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"

local SIEVE = [[
local n, found = tonumber(arg[1]), {}
for i = 2, n do
    if not found[i] then
        for k = i * i, n, i do found[k] = true end
    end
end
]]

-- Files that the programs read.
local function prepare(work)
    must(("mkdir -p %s && seq 1 20000 >%s/numbers"):format(work, work))
    must(("sed 's/%%/2000/g' tests/whole/query.sql >%s/query.sql"):format(work))
    campaign.write(work .. "/sieve.lua", SIEVE)
    campaign.write(work .. "/count.awk", "{ sum += $1; seen[$1 % 97]++ } END { print sum, length(seen) }\n")
end

local function command_of(program, options, work)
    local words = program[2]:gsub("BUILD", BUILD):gsub("WORK", work)
    local more = (program.cores and " --cores " .. program.cores or "") .. (program.ranks and " --ranks " .. program.ranks or "")
        .. (program.whole and " --whole" or "")
    return ("%s %s %s/assay laws --jobs 1 --node %s%s"):format(AS_ROOT, program.environment or "", BUILD, options.node, more), words
end

-- The lines that assess.lua wrote about a program; runs it if there are none yet.
local function lines_of(program, options, scratch)
    local file = ("%s/%s"):format(options.keep or scratch, program[1]:gsub("[^%w]", "_"))
    local made = io.open(file)
    if not made then
        local start, words = command_of(program, options, scratch .. "/work")
        must(("LAWS_ROOT=$(pwd) LAWS_OUT='%s.new' LAWS_FAULTS=%d ASSAY_DATA=%s/data %s -- %s && mv '%s.new' '%s'"):format(file,
            options.clean and 0 or 1, scratch, start, words, file, file))
        made = assert(io.open(file))
    end
    local list = {}
    for line in made:lines() do
        local cells = {}
        for cell in (line .. "\t"):gmatch "(.-)\t" do
            cells[#cells + 1] = cell
        end
        list[#list + 1] = cells
    end
    made:close()
    return list
end

local GOOD = { named = 4, many = 3, missed = 2, misnamed = 1, same = 0 }

-- Adds one program's lines to the sums.
local function take(sums, program, list, options)
    for _, cells in ipairs(list) do
        local kind, name = cells[1], cells[2]
        if kind == "law" then
            local own = sums.laws[name] or { holds = 0, broken = 0, unmeasured = 0 }
            own[cells[3]], sums.laws[name] = own[cells[3]] + 1, own
            own.sees = math.min(own.sees or math.huge, tonumber(cells[4]) or math.huge)
            if cells[3] == "broken" then
                print(("ALARM: %s: law '%s' is broken"):format(program[1], name))
            end
        elseif kind == "blame" then
            print(("ALARM: %s: %s"):format(program[1], name))
        elseif kind == "break" then
            for law in cells[3]:gmatch "[^|]+" do
                sums.breakable[law] = true
            end
        elseif kind == "fault" then
            sums.words[cells[3]] = (sums.words[cells[3]] or 0) + 1
            local best = sums.events[name]
            if not best or GOOD[cells[3]] > GOOD[best.word] then
                sums.events[name] = { word = cells[3], program = program, text = cells[5], event = name }
            end
            if options.all then
                print(("%-9s %-45s %-28s %s"):format(cells[3], name, program[1], cells[5]))
            end
        end
    end
end

local function sorted(set)
    local names = {}
    for name in pairs(set) do
        names[#names + 1] = name
    end
    table.sort(names)
    return names
end

-- Injects faults into `count` of the events that are named on their best program. Returns how many of these are not blamed.
local function inject(sums, options, scratch)
    local able, different = {}, 0
    for _, name in ipairs(sorted(sums.events)) do
        able[#able + 1] = sums.events[name].word == "named" and sums.events[name] or nil
    end
    for _, one in ipairs(campaign.spread(able, options.inject)) do
        campaign.write(scratch .. "/fault", one.event .. " scale 1.05\n")
        local start, words = command_of(one.program, options, scratch .. "/work")
        local text = campaign.run(("%s --fault %s/fault -- %s"):format(start, scratch, words))
        local line = text:match "\n([^\n]*: %d+ laws? %a+ broken)" or "nothing"
        local is_there = line:find("%f[%w_]" .. one.event .. "%f[^%w_]") ~= nil
        different = different + (is_there and 0 or 1)
        print(("injected: %s in %s: %s%s"):format(one.event, one.program[1], is_there and "" or "NOT FOUND: ", line))
    end
    return different
end

-- Prints the sums. Returns whether all requirements are met.
local function tell(sums, options, count)
    local held, unbroken, found, all, weak = 0, {}, 0, 0, {}
    for _, name in ipairs(sorted(sums.laws)) do
        local own = sums.laws[name]
        held = held + (own.broken == 0 and own.holds > 0 and 1 or 0)
        unbroken[#unbroken + 1] = not sums.breakable[name] and name or nil
        print(("law %-34s holds %3d, broken %d, no counts %d, detects from %.3g %%"):format(name, own.holds, own.broken, own.unmeasured,
            own.sees))
    end
    print(("%s: %d programs: %d of %d laws hold on all of them"):format(options.node, count, held, #sorted(sums.laws)))
    if options.clean then
        return held == #sorted(sums.laws)
    end
    for _, name in ipairs(sorted(sums.events)) do
        local one = sums.events[name]
        if one.word ~= "same" then
            all, found = all + 1, found + (one.word == "named" and 1 or 0)
            weak[#weak + 1] = one.word ~= "named" and ("%s (%s)"):format(name, one.word) or nil
        end
    end
    local words = {}
    for _, word in ipairs { "named", "many", "missed", "misnamed", "same" } do
        words[#words + 1] = ("%d %s"):format(sums.words[word] or 0, word)
    end
    print("broken by no fault: " .. (unbroken[1] and table.concat(unbroken, ", ") or "none"))
    print("1.05 times, each event on each program: " .. table.concat(words, ", "))
    print(("1.05 times, each event on the program that exercises it most: %d of %d named; not: %s"):format(found, all,
        table.concat(weak, ", ")))
    return held == #sorted(sums.laws) and #unbroken == 0 and found >= SHARE * all
end

local function main(options, scratch)
    local count = 0
    campaign.data(must "pwd", scratch .. "/data", { ["program/laws/laws.lua"] = "laws/assess.lua" })
    prepare(scratch .. "/work")
    local sums = { laws = {}, events = {}, words = {}, breakable = {} }
    for _, program in ipairs(dofile "tests/laws/programs.lua") do
        if program[1]:find(options.program, 1, true) then
            io.stderr:write(program[1], "\n")
            take(sums, program, lines_of(program, options, scratch), options)
            count = count + 1
        end
    end
    local is_right = tell(sums, options, count)
    local different = inject(sums, options, scratch)
    return is_right and different == 0
end

campaign.main(main, KINDS, { node = "virtual", program = "", inject = 0 })
