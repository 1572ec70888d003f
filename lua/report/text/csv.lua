-- csv.lua - quotes a field of a CSV file.
-- SPDX-License-Identifier: GPL-3.0-or-later
local csv = {}

-- A spreadsheet would evaluate text that begins like a formula; an apostrophe before it prevents that. Numbers are left as they are.
function csv.quoted(value)
    if value:find "^[=+@-]" and not tonumber(value) then
        value = "'" .. value
    end
    return value:find '[",\n]' and '"' .. value:gsub('"', '""') .. '"' or value
end

return csv
