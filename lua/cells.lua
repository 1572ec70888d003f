-- cells.lua - text in columns of a terminal: widths are of characters, and no character is cut in two.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = {}

function cells.width(text)
    return utf8.len(text) or #text
end

-- The text, or as much of it as leaves room for `mark` ("~" by default) behind it.
function cells.cut(text, width, mark)
    mark = mark or "~"
    if cells.width(text) <= width then
        return text
    end
    return text:sub(1, (utf8.offset(text, math.max(width - #mark, 0) + 1) or 1) - 1) .. mark
end

function cells.pad(text, width, is_right)
    local pad = (" "):rep(width - cells.width(text))
    return is_right and pad .. text or text .. pad
end

return cells
