-- again.lua - judges the stored counts of a half again, with today's rules:  lua5.4 tests/diagnosis/again.lua ARCH open|kept
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Replaces the answers in BUILD/confusion/ARCH-HALF.tsv (run.lua) and prints the rows whose present patterns are others now. Rows that
-- truth.tsv does not have in this half are left out.
package.path = "lua/?.lua;" .. package.path
local campaign = dofile "tests/campaign.lua"
local confusion = dofile "tests/diagnosis/confusion.lua"
local rejudge = dofile "tests/diagnosis/rejudge.lua"

local arch, half = arg[1], arg[2]
local RESULTS = ("%s/confusion/%s-%s.tsv"):format(campaign.BUILD, arch, half)
local stored = rejudge.of(arch)

local patterns = {} -- of truth.tsv, by program and threads
for _, row in ipairs(confusion.rows(campaign.read(confusion.TRUTH[half]))) do
    patterns[row.program .. " " .. row.threads] = row.half == half and row.patterns or nil
end
local lines = { table.concat(confusion.COLUMNS, "\t") }
for _, row in ipairs(confusion.rows(campaign.read(RESULTS))) do
    row.patterns = patterns[row.program .. " " .. row.threads]
    if row.patterns then
        local before = row.present
        confusion.tell(row, stored(row).judge())
        if row.present ~= before then
            print(("%s %s: %s, was %s"):format(row.program, row.threads, row.present, before))
        end
        lines[#lines + 1] = confusion.line(row)
    end
end
campaign.write(RESULTS, table.concat(lines, "\n") .. "\n")
