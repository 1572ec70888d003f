-- amounts.lua - what models of pattern files say besides numbers (plan/points.lua has all that they may return).
-- SPDX-License-Identifier: GPL-3.0-or-later
local amounts = {}

-- None at all, where a code that does it would count `work` (a count, bytes or a ratio, as the model's other answers).
function amounts.none_of(work)
    return { min = 0, value = 0, max = 0, work = work }
end

return amounts
