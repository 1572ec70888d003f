-- laxity.lua - was a metric judged less strictly in one record than in another? A verdict that stays the same may say less.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Less strict is: a larger tolerance, a wider expectation, a fault that must be larger to be seen. Upwards and downwards together, as a
-- count that lies a little higher within its interval is seen that much sooner upwards and later downwards, and nothing was judged
-- otherwise. What moves by less than NOTICED of the tolerance is not noticed; of widths and resolutions so much is the difference between
-- two choices of points.
local laxity = {}

local NOTICED = 0.1

-- { [identity] = the largest width of an expectation, relative to its value } of a record's samples; intervals at 0 have none.
function laxity.widths(record, identity)
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

-- How large a factor must be to be seen, as the share by which it differs from 1: { up =, down =, both = their sum |nil }.
local function shares(resolution)
    local up, down = resolution.factor_up and resolution.factor_up - 1, resolution.factor_down and 1 - resolution.factor_down
    return { up = up, down = down, both = up and down and up + down }
end

local function percent(share)
    return ("%.3g %%"):format(100 * share)
end

-- Of the same metric in two records, with the widths of their expectations (|nil) -> array of { what =, old = text, new = text }: all in
-- which the second is less strict.
function laxity.rows(old, new, old_width, new_width)
    local rows = {}
    local limit = NOTICED * (old.tolerance_pct or 0) / 100
    local function compare(what, before, after, by)
        if before and after and after - before > by then
            rows[#rows + 1] = { what = what, old = percent(before), new = percent(after) }
        end
    end
    compare("tolerance", old.tolerance_pct and old.tolerance_pct / 100, new.tolerance_pct and new.tolerance_pct / 100, 0)
    compare("widest interval", old_width, new_width, limit)
    if old.verdict ~= "validated" then
        return rows -- nothing to speak of was seen before
    elseif old.resolution and new.resolution then
        local before, after = shares(old.resolution), shares(new.resolution)
        if before.both and after.both then
            compare("not seen within", before.both, after.both, limit)
        else
            compare("seen upwards from", before.up, after.up, limit)
            compare("seen downwards from", before.down, after.down, limit)
        end
    elseif old.resolution then
        rows[#rows + 1] = { what = "resolution", old = "known", new = "-" }
    end
    return rows
end

return laxity
