-- line_file.lua - reads files with one declaration a line, where '#' starts a comment. SPDX-License-Identifier: GPL-3.0-or-later
--
-- A file is { text =, file = its name for messages }.
local line_file = {}

-- Raises "FILE:LINE: " and the formatted text.
function line_file.fail(file, number, text, ...)
    error(("%s:%d: "):format(file.file, number) .. text:format(...), 0)
end

-- Calls take(line, number) for each line that is not blank, without its comment and trailing blanks.
function line_file.each(file, take)
    local number = 0
    for line in (file.text .. "\n"):gmatch "(.-)\n" do
        number = number + 1
        local declared = line:gsub("#.*", ""):gsub("%s+$", "")
        if declared ~= "" then
            take(declared, number)
        end
    end
end

return line_file
