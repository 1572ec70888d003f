-- fnv.lua - hash of a text, as 8 hexadecimal digits: FNV-1a, 32 bits. It detects changes, but not forgeries.
-- SPDX-License-Identifier: GPL-3.0-or-later
return function(text)
    local hash = 0x811C9DC5
    for i = 1, #text do
        hash = ((hash ~ text:byte(i)) * 0x01000193) & 0xFFFFFFFF
    end
    return ("%08x"):format(hash)
end
