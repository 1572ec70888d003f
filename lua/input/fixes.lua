-- fixes.lua - reads results/published/likwid-fixes: faults in the history of LIKWID's data files. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local fixes = {}

-- "A,B/NAME" or "A/ONE,B/OTHER" or "ARCH=TABLE,TABLE" -> array of { path = in LIKWID's tree, arch = |nil, name = of the file }
local function files_of(words)
    local folders, name = words:match "^([%w_,]+)/([%w_.]+)$"
    return lists.map(lists.words(folders or words, "[^,]+"), function(word)
        local arch, file = word:match "^(.-)[/=](.*)$"
        arch, file = folders and word or arch, folders and name or file or word
        local is_table = file:find "^perfmon_"
        return { path = is_table and "src/includes/" .. file or ("groups/%s/%s"):format(arch, file), arch = arch, name = file }
    end)
end

-- The file's text -> array of { number = "H7", commit = of the fix, nil: not mended, files = array of { path =, arch = |nil, name = },
-- rule = of `assay lint`, nil if none sees it, left = may the rule see more after the fix?, word = in the finding's text, "" for any,
-- what = what was wrong }
function fixes.read(text)
    return lists.collect(lists.words(text, "[^\n]+"), function(line)
        local number, commit, words, rule, left, word, what = line:match "^(%u%d+) (%S+) (%S+) ([%w-]+)(~?)%s*(.-) # (.+)$"
        return number and { number = number, commit = commit ~= "-" and commit or nil, files = files_of(words),
            rule = rule ~= "-" and rule or nil, left = left == "~", word = word, what = what }
    end)
end

return fixes
