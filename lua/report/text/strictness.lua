-- strictness.lua - finds metrics that were judged less strictly than in another record: the same verdict may claim less.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Less strict means a larger tolerance, a wider expected interval, or a larger smallest detectable fault. Up and down are added, because
-- a count that lies higher in its interval only shifts detection from down to up. Counts that spread less have more room on both sides;
-- that is not less strict either. Changes below a share of the tolerance are ignored: WIDTH for an interval's width (it varies with the
-- choice of points), ROOM for the detectable fault (it varies by up to 0.16 between builds, because arrays are placed differently and
-- caches replace other lines; seen in load imbalance).
local strictness = {}

local WIDTH, ROOM = 0.1, 0.2

-- { [identity] = largest relative width of an expected interval } of a record's samples; expectations of 0 are left out.
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

-- Detectable errors of a factor as shares (distance from 1): { up =, down =, both = their sum |nil, window = that sum plus the spread
-- of the counts |nil }.
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

-- The same metric in two records, with relative interval widths (|nil) -> array of { what =, old = text, new = text }: aspects in which
-- the new record is less strict.
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
        return rows -- nothing was validated before
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
