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
local FOLDER = campaign.BUILD .. "/confusion"
local RESULTS = ("%s/%s-%s.tsv"):format(FOLDER, arch, half)
local verdicts = campaign.read_json(("%s/%s.json"):format(FOLDER, arch))

local patterns = {} -- of truth.tsv, by program and threads
for _, row in ipairs(confusion.rows(campaign.read(confusion.TRUTH[half]))) do
    patterns[row.program .. " " .. row.threads] = row.half == half and row.patterns or nil
end
local lines = { table.concat(confusion.COLUMNS, "\t") }
for _, row in ipairs(confusion.rows(campaign.read(RESULTS))) do
    row.patterns = patterns[row.program .. " " .. row.threads]
    if row.patterns then
        local record, before = campaign.read_json(("%s/%s-%s-%s.json"):format(FOLDER, arch, row.program, row.threads)), row.present
        local findings = rejudge.prepare(record, verdicts).judge()
        row.present, row["cannot say"] = confusion.list(findings, "present"), confusion.list(findings, "cannot say")
        if row.present ~= before then
            print(("%s %s: %s, was %s"):format(row.program, row.threads, row.present, before))
        end
        local cells = {}
        for i, column in ipairs(confusion.COLUMNS) do
            cells[i] = row[column]
        end
        lines[#lines + 1] = table.concat(cells, "\t")
    end
end
campaign.write(RESULTS, table.concat(lines, "\n") .. "\n")
