-- family.lua - the file groups/ARCH/family: what an architecture takes from another one. SPDX-License-Identifier: GPL-3.0-or-later
--
--     family ARCH              everything that this folder does not have is ARCH's
--     without FILE ...         but not these files
--     take ARCH FILE ...       these files are ARCH's instead
--     also ARCH FILE ...       these files get ARCH's changes (FILE.changes) first, then those of this folder
--     unlisted EVENT ...       the architecture's LIKWID table does not have these events (likwid.lua)
--     rename OLD NEW           replaces the word OLD in all inherited files; OLD* NEW*: the beginning of each word
--     text NAME                group files write {NAME} for the indented lines that follow, and blank lines before them
--     # ...                    a comment
local lines_of = require "lines"

local family = {}

local function fail(file, line, ...)
    error(("%s:%d: %s"):format(file, line, (...):format(select(2, ...))), 0)
end

-- A word with ARCH FILE ..., which `found[key]` collects.
local function files_to(key)
    return function(found, rest, line)
        local arch, names = rest:match "^([%w_]+) +(.+)$"
        for name in (names or ""):gmatch "%S+" do
            table.insert(found[key], { arch = arch, name = name, line = line })
        end
        return arch
    end
end

local WORDS = {
    family = function(found, rest)
        found.parent = rest:match "^([%w_]+)$"
        return found.parent
    end,
    without = function(found, rest, line)
        for name in rest:gmatch "%S+" do
            found.without[name] = line
        end
        return rest ~= ""
    end,
    take = files_to "taken",
    also = files_to "also",
    unlisted = function(found, rest)
        for name in rest:gmatch "%S+" do
            found.unlisted[name] = true
        end
        return rest ~= ""
    end,
    rename = function(found, rest, line)
        local old, star, new, star_too = rest:match "^([%w_]+)(%*?) +([%w_]+)(%*?)$"
        table.insert(found.renames, { old = old, new = new, is_start = star == "*", line = line })
        return old and star == star_too
    end,
    text = function(found, rest)
        found.text, found.blanks = {}, 0
        found.texts[rest] = found.text
        return rest:find "^%u+$"
    end,
}

-- text of the family file, or nil -> { parent = |nil, without = { [file] = line }, taken, also = arrays, unlisted = { [event] = true },
-- renames = array, texts = { [name] = lines } }
function family.read(text, file)
    local found = { without = {}, taken = {}, also = {}, unlisted = {}, renames = {}, texts = {} }
    for number, line in ipairs(lines_of(text or "")) do
        local word, rest = line:match "^(%l+) *(.-) *$"
        if line == "" then
            found.blanks = (found.blanks or 0) + 1
        elseif line:find "^    " and found.text then
            for _ = 1, found.blanks do
                table.insert(found.text, "")
            end
            found.blanks = 0
            table.insert(found.text, line:sub(5))
        elseif word and WORDS[word] then
            if not WORDS[word](found, rest, number) then
                fail(file, number, "'%s' is not in the syntax of inherit/family.lua", line)
            end
        elseif not line:find "^#" then
            fail(file, number, "unknown line '%s'; known: family, without, take, also, unlisted, rename, text (inherit/family.lua)", line)
        end
    end
    return found
end

-- `text` with the renamed words; `used`: the renames that changed something are set there.
function family.renamed(text, renames, used)
    return (text:gsub("[%w_]+", function(word)
        for _, rename in ipairs(renames) do
            if word == rename.old or rename.is_start and word:sub(1, #rename.old) == rename.old then
                used[rename] = true
                return rename.new .. word:sub(#rename.old + 1)
            end
        end
    end))
end

-- Raises if a rename of `found` changed no word, or a left-out file does not exist. used: from renamed(); has: { [file] = true } of the
-- parent.
function family.check(found, used, has, file)
    for _, rename in ipairs(found.renames) do
        if not used[rename] then
            fail(file, rename.line, "nothing inherited has the word %s; take out this line", rename.old)
        end
    end
    for name, line in pairs(found.without) do
        if not has[name] then
            fail(file, line, "%s has no file %s; take it out here", found.parent or "no family", name)
        end
    end
end

return family
