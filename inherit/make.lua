-- make.lua - makes the architectures as the programs read them, from groups/: lua5.4 inherit/make.lua FROM TO FILE...
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- FILE...: all files of FROM, "ARCH/NAME". An architecture has the files of its folder, and what it inherits (family.lua): files that its
-- folder does not have, and files for which it has changes (NAME.changes: changes.lua). Nobody inherits a table of the vendor's codes:
-- without its own, an architecture has none. Group files are expanded (group_text.lua). Writes TO/ARCH/NAME. Bad input: one line,
-- "FILE:LINE: ...", status 2.
package.path = "inherit/?.lua;" .. package.path
local changes = require "changes"
local family = require "family"
local group_text = require "group_text"
local lines_of = require "lines"

local from, to = arg[1], arg[2]
local OWN = "pmu.vendor" -- is never inherited
local folders = {} -- [arch] = { [name] = true }
local made = {} -- [arch] = { files = { [name] = { lines =, sources = } }, texts = }

local function text_of(arch, name)
    local path = ("%s/%s/%s"):format(from, arch, name)
    local file = assert(io.open(path))
    local text = file:read "a"
    file:close()
    return text:find "\n$" and text or text .. "\n", path
end

-- The comment at the head of a file of another architecture speaks of that one; the sources are named in its place.
local function without_head(lines)
    local first = 1
    while lines[first] and (lines[first]:find "^#" or lines[first]:find "^%-%-") do
        first = first + 1
    end
    return table.move(lines, first, #lines, 1, {})
end

local make

-- A file of another architecture; used: as of family.renamed().
local function copy(file, own, used)
    local lines = lines_of(family.renamed(table.concat(without_head(file.lines), "\n") .. "\n", own.renames, used))
    return { lines = lines, sources = table.move(file.sources, 1, #file.sources, 1, {}), is_inherited = true }
end

-- What `arch` inherits: { [name] = file }.
local function inherited(arch, own, path)
    if not own.parent then
        return {}
    elseif not folders[own.parent] then
        error(("%s: there is no %s/%s"):format(path, from, own.parent), 0)
    end
    local files, used = {}, {}
    for name, file in pairs(make(own.parent, arch).files) do
        if name ~= OWN and not own.without[name] then
            files[name] = copy(file, own, used)
        end
    end
    for _, one in ipairs(own.taken) do
        local file = folders[one.arch] and make(one.arch, arch).files[one.name]
        files[one.name] = copy(file or error(("%s:%d: there is no %s of %s"):format(path, one.line, one.name, one.arch), 0), own, used)
    end
    family.check(own, used, made[own.parent].files, path)
    return files
end

local function change(arch, files, name)
    local text, path = text_of(arch, name)
    local of = name:match "^(.*)%.changes$"
    if not files[of] then
        error(("%s:1: the family has no %s to change"):format(path, of), 0)
    end
    changes.apply(files[of].lines, text, path, of)
    table.insert(files[of].sources, path)
end

-- -> { files =, texts = }, before groups are expanded: those that inherit have other boxes.
function make(arch, child)
    if made[arch] then
        return made[arch]
    elseif made[arch] == false then
        error(("%s/%s/family: %s is its own family"):format(from, child, arch), 0)
    end
    made[arch] = false
    local path = ("%s/%s/family"):format(from, arch)
    local own = family.read(folders[arch].family and text_of(arch, "family"), path)
    local files = inherited(arch, own, path)
    for name in pairs(folders[arch]) do
        if name:find "%.changes$" then
            change(arch, files, name)
        elseif name ~= "family" then
            local text, source = text_of(arch, name)
            files[name] = { lines = lines_of(text), sources = { source } }
        end
    end
    made[arch] = { files = files, texts = setmetatable(own.texts, { __index = own.parent and made[own.parent].texts }) }
    return made[arch]
end

local function write(arch, name, file, given)
    local path = ("%s/%s/%s"):format(to, arch, name)
    local lines = file.lines
    if name:find "%.txt$" then
        lines = group_text.expand(lines, given, file.sources[#file.sources])
    elseif file.is_inherited then
        local mark = name:find "%.lua$" and "--" or "#"
        table.insert(lines, 1, ("%s Made from %s: change these."):format(mark, table.concat(file.sources, ", ")))
    end
    local out = assert(io.open(path, "w"))
    out:write(table.concat(lines, "\n"), "\n")
    assert(out:close())
end

local function write_all(arch)
    local files = make(arch).files
    local machine = files["machine.lua"] or error(("%s/%s: no machine.lua"):format(from, arch), 0)
    local given = { texts = made[arch].texts, boxes = group_text.boxes(table.concat(machine.lines, "\n")) }
    for name, file in pairs(files) do
        write(arch, name, file, given)
    end
end

for i = 3, #arg do
    local arch, name = arg[i]:match "([^/]+)/([^/]+)$"
    folders[arch] = folders[arch] or {}
    folders[arch][name] = true
end
for arch in pairs(folders) do
    local is_made, message = pcall(write_all, arch)
    if not is_made then
        io.stderr:write(message, "\n")
        os.exit(2)
    end
end
