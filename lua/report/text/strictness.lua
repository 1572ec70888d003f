-- strictness.lua - was a metric judged less strictly in one record than in another? A verdict that stays the same may say less.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Less strict is: a larger tolerance, a wider expectation, a fault that must be larger to be seen. Upwards and downwards together, as a
-- count that lies a little higher within its interval is seen that much sooner upwards and later downwards, and nothing was judged
-- otherwise; nor was it where counts lie closer together, and have more room on both sides for that. Not noticed is what moves by less
-- than a share of the tolerance: WIDTH of an expectation, which is the difference between two choices of points, and ROOM of what a fault
-- must be, which differs by up to 0.16 from build to build where arrays lie elsewhere and caches replace other lines (load imbalance).
local strictness = {}

local WIDTH, ROOM = 0.1, 0.2

-- { [identity] = the largest width of an expectation, relative to its value } of a record's samples; intervals at 0 have none.
function strictness.widths(record, identity)
    local widths = {}
    for _, sample in ipairs(record.samples or {}) do
        local expected = sample.expected
        if expected and expected.value and expected.value > 0 then
            local key = identity(sample)
            widths[key] = math.max(widths[key] or 0, (expected.max - expected.min) / expected.value)
        end
    end
    return widths
end

-- How large a factor must be to be seen, as the share by which it differs from 1: { up =, down =, both = their sum |nil, window = that
-- and what the counts differ by |nil }.
local function shares(metric)
    local resolution, errors = metric.resolution, metric.error_pct
    local up, down = resolution.factor_up and resolution.factor_up - 1, resolution.factor_down and 1 - resolution.factor_down
    local both = up and down and up + down
    local spread = errors and errors.max and errors.max > -100 and (errors.max - errors.min) / (100 + errors.max) or 0
    return { up = up, down = down, both = both, window = both and both + spread }
end

local function percent(share)
    return ("%.3g %%"):format(100 * share)
end

-- Of the same metric in two records, with the widths of their expectations (|nil) -> array of { what =, old = text, new = text }: all in
-- which the second is less strict.
function strictness.rows(old, new, old_width, new_width)
    local rows = {}
    local tolerance = (old.tolerance_pct or 0) / 100
    local room = ROOM * tolerance
    local function compare(what, before, after, by)
        if before and after and after - before > by then
            rows[#rows + 1] = { what = what, old = percent(before), new = percent(after) }
        end
    end
    compare("tolerance", old.tolerance_pct and old.tolerance_pct / 100, new.tolerance_pct and new.tolerance_pct / 100, 0)
    compare("widest interval", old_width, new_width, WIDTH * tolerance)
    if old.verdict ~= "validated" then
        return rows -- nothing to speak of was seen before
    elseif old.resolution and new.resolution then
        local before, after = shares(old), shares(new)
        if before.both and after.both then
            if after.window - before.window > room then
                compare("not seen within", before.both, after.both, room)
            end
        else
            compare("seen upwards from", before.up, after.up, room)
            compare("seen downwards from", before.down, after.down, room)
        end
    elseif old.resolution then
        rows[#rows + 1] = { what = "resolution", old = "known", new = "-" }
    end
    return rows
end

return strictness
