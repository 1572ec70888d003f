-- vocabulary.lua - the words of records, each list in its order, and the keys that identify a metric.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"
local words = require "input.pattern_words"

local vocabulary = {}

-- From the most to the least reliable for a tool. "unresolved" and "untested": no error is known; "skipped": not measured.
vocabulary.VERDICTS = { "validated", "correctable", "qualitative", "unresolved", "untested", "rejected", "missing", "skipped" }
vocabulary.CLASSES = { "exact", "bias", "multiplicative", "random", "unknown", "missing" }
-- A record's findings next to the verdicts. "formula": LIKWID's own value of a metric is not what its counters give. "ghost": an uncore
-- box that does not count like its siblings (plan/census.lua).
vocabulary.FINDINGS = { "formula", "ghost" }

-- Keys that identify a metric, in a metric's entry and in each of its samples.
vocabulary.IDENTITY = { "pattern", "code", "level", "placement", "group", "metric" }

-- Position of each word in its list: larger is worse.
vocabulary.VERDICT_RANK, vocabulary.CLASS_RANK = lists.places(vocabulary.VERDICTS), lists.places(vocabulary.CLASSES)

-- The values of `keys` (default IDENTITY) of an entry, joined to one text.
function vocabulary.identity(entry, keys)
    local parts = {}
    for i, key in ipairs(keys or vocabulary.IDENTITY) do
        parts[i] = tostring(entry[key] or "-")
    end
    return table.concat(parts, "\t")
end

-- Is this reason of absence no fault of the counter: nothing counts the event here?
function vocabulary.is_uncounted(why)
    return why == "not modelled" or why:find "^not counted: " ~= nil
end

-- Number of entries with each value of a key.
function vocabulary.count(entries, key)
    local counts = {}
    for _, entry in ipairs(entries) do
        if entry[key] then
            counts[entry[key]] = (counts[entry[key]] or 0) + 1
        end
    end
    return counts
end

-- Nonzero counts in the order of `names`: "exact 10, random 1" with the format "%s %d".
function vocabulary.tally(counts, names, format)
    return lists.join(names, ", ", function(name) return counts[name] and format:gsub("%%s", name):format(counts[name]) end)
end

-- The metric whose ratio of two threads this metric is; nil if it is no ratio.
function vocabulary.ratio_of(metric)
    local mark = words.RATIO
    return metric:sub(-#mark) == mark and metric:sub(1, -#mark - 1) or nil
end

-- The metric's name in the group file; for a ratio, the name of the metric that it compares.
function vocabulary.in_group(metric)
    return vocabulary.ratio_of(metric) or metric
end

-- Distinct values of a key over entries, in the order of their first appearance.
function vocabulary.values(entries, key, list)
    return lists.distinct(entries, list, key)
end

return vocabulary
