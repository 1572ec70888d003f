-- faults.lua - which wrong counter flips which diagnosis:  lua5.4 tests/diagnosis/faults.lua ARCH
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The stored counts of each program that is told rightly (run.lua: BUILD/confusion/ARCH-PROGRAM-THREADS.json) are judged again with one
-- event's counts stuck at 0, halved and doubled. Writes docs/diagnosis/ARCH.faults, a line for each event and factor: event, factor,
-- programs, of these those about which nothing is said any more, and those of which something wrong is, with what is told (PROGRAM
-- THREADS: PATTERN).
package.path = "lua/?.lua;" .. package.path
local campaign = dofile "tests/campaign.lua"
local confusion = dofile "tests/diagnosis/confusion.lua"
local rejudge = dofile "tests/diagnosis/rejudge.lua"
local FACTORS = { 0, 0.5, 2 }

local arch = arg[1]
local stored = rejudge.of(arch)

-- The answer about a program, and the first pattern that is told.
local function answer_of(row, findings)
    return (confusion.answer(confusion.tell(row, findings))), row.present:match "^[%w_]+"
end

local sums, order = {}, {}
local function add(event, factor, row, answer, told)
    local key = ("%s\t%g"):format(event, factor)
    if not sums[key] then
        sums[key] = { programs = 0, lost = 0, wrong = {} }
        order[#order + 1] = key
    end
    local sum = sums[key]
    sum.programs = sum.programs + 1
    if answer == "wrong" then
        table.insert(sum.wrong, ("%s %s: %s"):format(row.program, row.threads, told))
    elseif answer ~= "right" then
        sum.lost = sum.lost + 1
    end
end

for _, half in ipairs { "open", "kept" } do
    for _, row in ipairs(confusion.rows(campaign.read(("docs/diagnosis/%s-%s.tsv"):format(arch, half)))) do
        local one = stored(row)
        for _, event in ipairs(answer_of(row, one.judge()) == "right" and one.events or {}) do
            for _, factor in ipairs(FACTORS) do
                add(event, factor, row, answer_of(row, one.judge(event, factor)))
            end
        end
    end
end
table.sort(order)
local lines = { "event\tfactor\tprograms\tlost\twrong\ttold" }
for _, key in ipairs(order) do
    local sum = sums[key]
    lines[#lines + 1] = ("%s\t%d\t%d\t%d\t%s"):format(key, sum.programs, sum.lost, #sum.wrong, table.concat(sum.wrong, ", "))
end
campaign.write(("docs/diagnosis/%s.faults"):format(arch), table.concat(lines, "\n") .. "\n")
