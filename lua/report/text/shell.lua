-- shell.lua - quotes words of command lines for users to copy.
-- SPDX-License-Identifier: GPL-3.0-or-later
local shell = {}

-- Quotes a word for the shell.
function shell.quote(word)
    return word:find "^[%w_%-./:,=@+]+$" and word or "'" .. word:gsub("'", "'\\''") .. "'"
end

return shell
