-- shell.lua - words of command lines that people copy into a shell.
-- SPDX-License-Identifier: GPL-3.0-or-later
local shell = {}

-- A word as a shell reads it.
function shell.quote(word)
    return word:find "^[%w_%-./:,=@+]+$" and word or "'" .. word:gsub("'", "'\\''") .. "'"
end

return shell
