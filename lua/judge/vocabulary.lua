-- vocabulary.lua - the words that records are made of, each list in its order, and what a metric and its samples are known by.
-- SPDX-License-Identifier: GPL-3.0-or-later
local words = require "input.pattern_words"

local vocabulary = {}

-- From what a tool may rely on to what it must not; of "unresolved" and "untested" nothing wrong is known, and "skipped" was not
-- looked at.
vocabulary.VERDICTS = { "validated", "correctable", "qualitative", "unresolved", "untested", "rejected", "missing", "skipped" }
vocabulary.CLASSES = { "exact", "bias", "multiplicative", "random", "unknown", "missing" }
-- What a record may say next to the verdicts: "formula", LIKWID's own value of a metric is not what its counters give.
vocabulary.FINDINGS = { "formula" }

-- Keys that together name a metric: the same in a metric's entry and in each of its samples.
vocabulary.IDENTITY = { "pattern", "code", "level", "placement", "group", "metric" }

-- Place of each word in its list: larger is worse.
local function ranks(list)
    local rank = {}
    for place, word in ipairs(list) do
        rank[word] = place
    end
    return rank
end

vocabulary.VERDICT_RANK, vocabulary.CLASS_RANK = ranks(vocabulary.VERDICTS), ranks(vocabulary.CLASSES)

-- The values of `keys` (by default IDENTITY) of an entry as one text.
function vocabulary.identity(entry, keys)
    local parts = {}
    for i, key in ipairs(keys or vocabulary.IDENTITY) do
        parts[i] = tostring(entry[key] or "-")
    end
    return table.concat(parts, "\t")
end

-- How many of the entries have each value of a key.
function vocabulary.count(entries, key)
    local counts = {}
    for _, entry in ipairs(entries) do
        if entry[key] then
            counts[entry[key]] = (counts[entry[key]] or 0) + 1
        end
    end
    return counts
end

-- The counts that are not 0 in the order of `names`: "exact 10, random 1" with the format "%s %d".
function vocabulary.tally(counts, names, format)
    local parts = {}
    for _, name in ipairs(names) do
        if counts[name] then
            parts[#parts + 1] = format:gsub("%%s", name):format(counts[name])
        end
    end
    return table.concat(parts, ", ")
end

-- The metric that a ratio of two threads is of; nil for a metric that is no ratio.
function vocabulary.ratio_of(metric)
    local mark = words.RATIO
    return metric:sub(-#mark) == mark and metric:sub(1, -#mark - 1) or nil
end

-- What the group file calls what is judged under this name: of a ratio the metric that it is of.
function vocabulary.in_group(metric)
    return vocabulary.ratio_of(metric) or metric
end

-- Values that differ, in the order of their first appearance; nil is none.
function vocabulary.distinct(values, list)
    local seen = {}
    list = list or {}
    for _, value in ipairs(values) do
        if not seen[value] then
            seen[value] = true
            list[#list + 1] = value
        end
    end
    return list
end

-- The different values of a key over entries, in the order of their first appearance.
function vocabulary.values(entries, key, list)
    local values = {}
    for _, entry in ipairs(entries) do
        values[#values + 1] = entry[key]
    end
    return vocabulary.distinct(values, list)
end

return vocabulary
