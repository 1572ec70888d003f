-- pattern_words.lua - words of pattern files, for the schema and the planner.
-- SPDX-License-Identifier: GPL-3.0-or-later
return {
    PLACEMENTS = { "core", "pair", "domain", "socket", "across" }, -- plan/placement.lua
    RATIO = ", thread 0 : 1", -- suffix of a ratio's name (plan/quantity.lua)
}
