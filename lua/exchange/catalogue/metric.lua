-- metric.lua - combines the records' results for one metric of a group, over all codes, levels, placements and nodes.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A tool does not know which code it measures. So a metric is as good as its worst row, and correctable only if ONE set of
-- constants brings every sample within the tolerance. Rows that are right but would not detect a wrong count (untested, unresolved)
-- are ignored if other rows detect more, and so are their errors: within a wide interval any count is right, however far from the
-- expected value. The metric's detectable error is that of its sharpest row. A record without samples has
-- extremes of its metrics (record/compact.lua), which give the largest errors; the average after a correction is then the average
-- over extremes.
local array = require "input.array"
local compact = require "record.compact"
local deviation = require "judge.deviation"
local lists = require "input.lists"
local report = require "report.text.report"
local stats = require "numeric.stats"
local systematic = require "judge.systematic"
local vocabulary = require "judge.vocabulary"

local catalogue_metric = {}

local RANK = vocabulary.VERDICT_RANK

local function place_of(row)
    return lists.join({ "code", "level", "placement" }, " ", function(key) return row[key] end)
end

-- Is the row right, but unable to detect a wrong count? (An unresolved row may be qualitative.)
local function is_silent(row)
    return row.verdict == "untested" or row.verdict == "unresolved" or row.verdict == "qualitative" and row.class == "exact"
end

-- Rows that can detect a wrong count; all rows if there are none.
local function telling(rows)
    local found = lists.filter(rows, function(row) return not is_silent(row) end)
    return #found > 0 and found or rows
end

-- The smallest detectable errors over the rows; nil if no row has any.
local function sharpest(rows)
    local best
    for _, row in ipairs(rows) do
        local found = row.resolution
        if found then
            best = best or { offset_unit = found.offset_unit }
            for key, pick in pairs { factor_up = math.min, factor_down = math.max, offset = math.min } do
                best[key] = found[key] and pick(best[key] or found[key], found[key]) or best[key]
            end
        end
    end
    return best
end

local function bounds(values)
    local all = stats.summary(values)
    return all and { min = all.min, avg = all.avg, max = all.max }
end

-- Bounds of the samples' values joined with `key` of rows without samples, weighted by `count` of their extremes.
local function bounds_with(values, rows, key, count)
    local all, n = bounds(values), #values
    for _, row in ipairs(rows) do
        local more, weight = row[key], row.extremes and row.extremes[count] or 0
        if weight > 0 then
            all = all or { min = more.min, avg = 0, max = more.max }
            all.min, all.max = math.min(all.min, more.min), math.max(all.max, more.max)
            all.avg, n = (all.avg * n + more.avg * weight) / (n + weight), n + weight
        end
    end
    return all, n
end

-- Of the rows' corrections, the one with the smallest worst error over all samples, and that error.
local function best_correction(rows, samples)
    local tried = lists.map(lists.collect(rows, "correction"), function(constants)
        return { constants = constants, worst = stats.worst((deviation.list(samples, systematic.corrector(constants)))) }
    end)
    local best = lists.best(tried, function(one, other) return one.worst < other.worst end) or {}
    return best.constants, best.worst
end

-- The metric's threshold: the row's with the smallest margin; nil if a row has none or their sides differ.
local function common_threshold(rows)
    local found = lists.collect(rows, "threshold")
    if #found < #rows or not lists.all(found, function(one) return one.value and one.present_is == found[1].present_is end) then
        return nil
    end
    local best = lists.best(found, function(one, other) return (one.margin or math.huge) < (other.margin or math.huge) end)
    return best and { value = best.value, margin = best.margin, present_is = best.present_is }
end

-- Distinct rows of the records' vendor checks; nil if no record has one.
local function vendor_of(rows)
    local found = lists.flat(rows, "vendor")
    local first = lists.map(lists.group(found, function(one) return one.event .. one.state end), function(same) return same[1] end)
    return lists.any(rows, "vendor") and array(first) or nil
end

local function apply_correction(result, rows, samples)
    local constants, worst = best_correction(rows, samples)
    local noise = lists.most(rows, 0, function(row) return row.noise and row.noise.exact_pct or 0 end)
    if constants and worst <= result.tolerance_pct + noise then
        local _, errors, residues = deviation.list(samples, systematic.corrector(constants))
        result.correction = { factor = constants.factor, offset = constants.offset, offset_unit = constants.offset_unit,
            error_pct = bounds(errors), residue_pct = bounds(residues) }
        return
    end
    result.verdict = result.threshold and "qualitative" or "rejected"
    result.reason = worst and ("each code has constants of its own: the best set leaves %s %%"):format(report.percent(worst))
        or "no constants in the records"
end

-- rows = the records' "metrics" of one group and metric, samples = their "samples" -> { verdict, n, tolerance_pct, error_pct|nil,
-- residue_pct|nil, correction|nil, resolution|nil, threshold|nil, errata, vendor|nil, codes, levels, placements, reason|nil }; nil if all
-- rows were skipped.
function catalogue_metric.combine(rows, samples)
    local judged = lists.filter(rows, function(row) return row.verdict ~= "skipped" end)
    if #judged == 0 then
        return nil
    end
    local counted, heard = array(), telling(judged)
    local places = lists.set(heard, place_of)
    local sharp = lists.collect(samples, function(sample)
        local row = sample.measured and sample.expected and deviation.row(sample)
        counted[#counted + 1] = row or nil
        return row and places[place_of(sample)] and row
    end)
    local _, errors, residues = deviation.list(sharp)
    local error_pct, error_count = bounds_with(errors, heard, "error_pct", "errors")
    local residue_pct, residue_count = bounds_with(residues, heard, "residue_pct", "residues")
    for _, row in ipairs(judged) do
        lists.append(counted, compact.rows(row.extremes or { rows = {} }))
    end
    local worst = lists.best(heard, function(row, other) return RANK[row.verdict] > RANK[other.verdict] end)
    local _, tolerance = stats.range(vocabulary.values(judged, "tolerance_pct"))
    local result = { verdict = worst.verdict, n = error_count + residue_count, tolerance_pct = tolerance, error_pct = error_pct,
        residue_pct = residue_pct, resolution = sharpest(judged), threshold = common_threshold(judged),
        errata = lists.distinct(lists.flat(judged, "errata"), array()), vendor = vendor_of(judged),
        codes = vocabulary.values(judged, "code", array()), levels = vocabulary.values(judged, "level", array()),
        placements = vocabulary.values(judged, "placement", array()) }
    if RANK[worst.verdict] > RANK.correctable then
        result.reason = ("%s%s"):format(place_of(worst), worst.reason and ": " .. worst.reason or "")
    elseif worst.verdict == "correctable" then
        apply_correction(result, judged, counted)
    end
    if result.verdict == "qualitative" and not result.threshold then
        result.verdict, result.reason = "rejected", "the records have no threshold in common"
    end
    return result
end

return catalogue_metric
