-- make.lua - makes the architectures as the programs read them, from groups/: lua5.4 inherit/make.lua FROM TO FILE...
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- FILE...: all files of FROM, "ARCH/NAME". Puts each architecture together (architectures.lua), expands its group files (group_text.lua)
-- and gives its events their codes (meanings.lua). One without pmu.events gets pmu.used (used.lua). Writes TO/ARCH/NAME. Bad input: one
-- line, "FILE:LINE: ...", status 2.
package.path = "inherit/?.lua;lua/?.lua;" .. package.path
local architectures = require "architectures"
local group_text = require "group_text"
local meanings = require "meanings"
local used = require "used"

local from, to = arg[1], arg[2]

local function text_of(file)
    return file and table.concat(file.lines, "\n") .. "\n" or ""
end

-- The last of the files, and its first line, that has the word: "FILE:LINE".
local function place_of(word, files)
    for i = #files, 1, -1 do
        local number = 0
        for line in io.lines(files[i]) do
            number = number + 1
            if line:find(word, 1, true) then
                return ("%s:%d"):format(files[i], number)
            end
        end
    end
    return files[#files]
end

-- The lines of an architecture's file as programs read them. given = group_text.expand's second argument, and code_of = the result of
-- meanings.codes.
local function made(name, file, given)
    local lines = file.lines
    if name:find "%.txt$" then
        given.place = function(word) return place_of(word, file.sources) end
        return group_text.expand(lines, given)
    elseif name == "pmu.events" then
        lines = meanings.joined(lines, given.code_of, file.own)
    end
    if file.is_inherited then
        local mark = name:find "%.lua$" and "--" or "#"
        table.insert(lines, 1, ("%s Made from %s: change these."):format(mark, table.concat(file.sources, ", ")))
    end
    return lines
end

local function write(arch, name, lines)
    local out <close> = assert(io.open(("%s/%s/%s"):format(to, arch, name), "w"))
    assert(out:write(table.concat(lines, "\n"), "\n"))
end

-- The lines of the nearest pmu.events of the architecture's family.
local function events_of(arch)
    while arch and not arch.files["pmu.events"] do
        arch = arch.parent
    end
    return arch and arch.files["pmu.events"].lines or {}
end

local function write_all()
    for name, arch in pairs(architectures.merge(from, { table.unpack(arg, 3) })) do
        if not arch.files["machine.lua"] then
            error(("%s/%s: no machine.lua"):format(from, name), 0)
        end
        local groups, given = {}, { arch = name, texts = arch.texts, boxes = group_text.boxes(text_of(arch.files["machine.lua"])),
            code_of = meanings.codes(text_of(arch.files["pmu.vendor"])) }
        for file_name, file in pairs(arch.files) do
            if file.stale then
                error(file.stale, 0)
            end
            local lines = made(file_name, file, given)
            groups[#groups + 1] = file_name:find "%.txt$" and lines or nil
            write(name, file_name, lines)
        end
        if not arch.files["pmu.events"] then
            write(name, "pmu.used", used.lines(groups, events_of(arch), given.code_of))
        end
    end
end

local is_made, message = pcall(write_all)
if not is_made then
    io.stderr:write(message, "\n")
    os.exit(2)
end
