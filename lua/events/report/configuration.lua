-- configuration.lua - table of the caches and TLBs found. SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"

local configuration = {}

local GAP = 2
local WORDS = { unit = "line or page", bytes = "size", entries = "entries", ways = "ways", shared = "sharing", begins = "begin" }

local function size(bytes)
    if bytes % (1 << 20) == 0 then
        return ("%d MiB"):format(bytes >> 20)
    elseif bytes % (1 << 10) == 0 then
        return ("%d KiB"):format(bytes >> 10)
    end
    return ("%d B"):format(bytes)
end

-- "32 KiB, 8-way, lines of 64 B, 2 cores", or for pages "next page 2868 B after the array's start"; `one`: found or stated values.
local function describe(one, cores)
    local parts = {}
    if one.begins then
        return ("next page %d B after the array's start"):format(one.begins)
    end
    parts[#parts + 1] = one.bytes and size(one.bytes) or one.entries and ("%d entries"):format(one.entries) or nil
    parts[#parts + 1] = one.ways and ("%d-way"):format(one.ways) or nil
    parts[#parts + 1] = one.unit and ("%s of %s"):format(one.bytes and "lines" or "pages", size(one.unit)) or nil
    parts[#parts + 1] = cores and ("%d core%s"):format(cores, cores == 1 and "" or "s") or nil
    return table.concat(parts, ", ")
end

local function verdict(finding)
    if finding.reason then
        return "not found"
    elseif not finding.stated then
        return "not stated"
    end
    local words = lists.map(finding.differs, function(word) return WORDS[word] end)
    return #words == 0 and "the same" or "differs: " .. table.concat(words, ", ")
end

-- { parts = events.configuration.compare's result } -> { text = lines that end with a newline }.
function configuration.render(argument)
    local rows = lists.append({ { "part", "found by counts", "stated", "by", "" } }, argument.parts, function(finding)
        return { finding.part, finding.reason or describe(finding, finding.shared and #finding.shared),
            finding.stated and describe(finding.stated, finding.stated.shared) or "", finding.by or "", verdict(finding) }
    end)
    return { text = table.concat(cells.lines(rows, GAP), "\n") .. "\n" }
end

return configuration
