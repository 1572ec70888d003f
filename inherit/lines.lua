-- lines.lua - a text's lines, each of which ends with "\n", as an array. SPDX-License-Identifier: GPL-3.0-or-later
return function(text)
    local lines = {}
    for line in text:gmatch "([^\n]*)\n" do
        lines[#lines + 1] = line
    end
    return lines
end
