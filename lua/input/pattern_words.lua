-- pattern_words.lua - words of pattern files that the schema checks and the planner expands.
-- SPDX-License-Identifier: GPL-3.0-or-later
return {
    PLACEMENTS = { "core", "pair", "domain", "socket", "across" }, -- plan/placement.lua
    RATIO = ", thread 0 : 1", -- behind the name of a ratio (plan/quantity.lua)
}
