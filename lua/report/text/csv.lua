-- csv.lua - a field of a CSV file.
-- SPDX-License-Identifier: GPL-3.0-or-later
local csv = {}

-- A spreadsheet takes what begins like a formula for one; an apostrophe before it makes it a text. Numbers are none.
function csv.quoted(value)
    if value:find "^[=+@-]" and not tonumber(value) then
        value = "'" .. value
    end
    return value:find '[",\n]' and '"' .. value:gsub('"', '""') .. '"' or value
end

return csv
