-- architectures.lua - what each architecture has: the files of its folder, and what it inherits. SPDX-License-Identifier: GPL-3.0-or-later
--
-- An architecture inherits (family.lua) files that its folder does not have, and files for which it has changes (NAME.changes:
-- changes.lua). It inherits the vendor's codes (vendor_codes.lua) only with changes of its own, which say that the result was compared with
-- its list. Nobody inherits the node that lists events.
local changes = require "changes"
local family = require "family"
local lines_of = require "lines"
local vendor_codes = require "vendor_codes"

local architectures = {}

local VENDOR, VENDOR_CHANGES = "pmu.vendor", "pmu.vendor.changes"
local READ = { family = true, [VENDOR] = true, [VENDOR_CHANGES] = true } -- files with a syntax of their own

-- The comment at the head of a file of another architecture speaks of that one; the sources are named in its place.
local function without_head(lines)
    local first = 1
    while lines[first] and (lines[first]:find "^#" or lines[first]:find "^%-%-") do
        first = first + 1
    end
    return table.move(lines, first, #lines, 1, {})
end

-- from: the folder of all; folders = { [arch] = { [file's name] = true } }; made: what merge() returns, so far.
local Merging = {}
Merging.__index = Merging

-- A file's text, which ends with "\n", and its path.
function Merging:text_of(arch, name)
    local path = ("%s/%s/%s"):format(self.from, arch, name)
    local file <close> = assert(io.open(path))
    local text = assert(file:read "a", path .. ": is a folder; take it out of groups/")
    return text:find "\n$" and text or text .. "\n", path
end

-- A file of another architecture; used: as of family.renamed(). LIKWID's names in the vendor's table are those of the other's list.
local function copy(name, file, own, used)
    if name == VENDOR then
        return file
    end
    local lines = lines_of(family.renamed(table.concat(without_head(file.lines), "\n") .. "\n", own.renames, used))
    return { lines = lines, sources = table.move(file.sources, 1, #file.sources, 1, {}), is_inherited = true }
end

-- What `arch` inherits: { [name] = file }.
function Merging:inherited(arch, own, path)
    if not own.parent then
        return {}
    elseif not self.folders[own.parent] then
        error(("%s: there is no %s/%s"):format(path, self.from, own.parent), 0)
    end
    local files, used, parent = {}, {}, self:make(own.parent, arch).files
    for name, file in pairs(parent) do
        if name ~= "listed.lua" and not own.without[name] then
            files[name] = copy(name, file, own, used)
        end
    end
    for _, one in ipairs(own.taken) do
        local file = self.folders[one.arch] and self:make(one.arch, arch).files[one.name]
            or error(("%s:%d: there is no %s of %s"):format(path, one.line, one.name, one.arch), 0)
        files[one.name] = copy(one.name, file, own, used)
    end
    family.check(own, used, parent, path)
    return files
end

function Merging:change(arch, files, name)
    local text, path = self:text_of(arch, name)
    local of = name:match "^(.*)%.changes$"
    if not files[of] then
        error(("%s:1: the family has no %s to change"):format(path, of), 0)
    end
    changes.apply(files[of].lines, text, path, of)
    table.insert(files[of].sources, path)
    files[of].own = { lines = lines_of(text), path = path }
end

-- The table of the vendor's codes, from the architecture's own file or its changes to `inherited`; nil if it has neither.
function Merging:vendor(arch, inherited)
    local has = self.folders[arch]
    local name = has[VENDOR_CHANGES] and VENDOR_CHANGES or VENDOR
    if not has[name] then
        return nil
    end
    local text, path = self:text_of(arch, name)
    if has[VENDOR] and has[VENDOR_CHANGES] then
        error(("%s:1: there is %s, too; tests/vendor/generate.lua writes one of them"):format(path, VENDOR), 0)
    elseif name == VENDOR_CHANGES and not inherited then
        error(("%s:1: the family has no %s to change"):format(path, VENDOR), 0)
    end
    local base = name == VENDOR_CHANGES and inherited or { sources = {} }
    local lines, stale = vendor_codes.read(text, path, base.lines)
    local sources = table.move(base.sources, 1, #base.sources, 1, {})
    sources[#sources + 1] = path
    return { lines = lines, sources = sources, is_inherited = true, stale = stale }
end

function Merging:make(arch, child)
    if self.made[arch] then
        return self.made[arch]
    elseif self.made[arch] == false then
        error(("%s/%s/family: %s is its own family"):format(self.from, child, arch), 0)
    end
    self.made[arch] = false
    local path = ("%s/%s/family"):format(self.from, arch)
    local own = family.read(self.folders[arch].family and self:text_of(arch, "family"), path)
    local files = self:inherited(arch, own, path)
    for _, one in ipairs(own.also) do
        local name = one.name .. ".changes"
        if not (self.folders[one.arch] or {})[name] then
            error(("%s:%d: %s has no changes of %s"):format(path, one.line, one.arch, one.name), 0)
        end
        self:change(one.arch, files, name)
        files[one.name].own = nil
    end
    local vendors = files[VENDOR]
    files[VENDOR] = self:vendor(arch, vendors)
    for name in pairs(self.folders[arch]) do
        if name:find "%.changes$" and not READ[name] then
            self:change(arch, files, name)
        elseif not READ[name] then
            local text, source = self:text_of(arch, name)
            local lines = lines_of(text)
            files[name] = { lines = lines, sources = { source }, own = { lines = lines, path = source } }
        end
    end
    local parent = own.parent and self.made[own.parent]
    self.made[arch] = { files = files, parent = parent, vendors = vendors,
        texts = setmetatable(own.texts, { __index = parent and parent.texts }) }
    return self.made[arch]
end

-- from: folder; paths: array of all its files, "ARCH/NAME" -> { [arch] = { files, texts, parent } }. Groups are not expanded and events
-- have no codes yet, because architectures that inherit have other boxes and codes:
--   files = { [name] = { lines =, sources = array of paths, is_inherited = true |nil,
--                        own = { lines =, path = } of the architecture's own file, or of its changes |nil,
--                        stale = why pmu.vendor must be generated again: "FILE:LINE: ..." |nil } }
--   texts = { [NAME] = lines } of the family file
--   parent = what the family has, in the same form |nil
--   vendors = the pmu.vendor that is inherited, which changes may change |nil
-- Raises one line: "FILE:LINE: ...".
function architectures.merge(from, paths)
    local merging = setmetatable({ from = from, folders = {}, made = {} }, Merging)
    for _, path in ipairs(paths) do
        local arch, name = path:match "([^/]+)/([^/]+)$"
        merging.folders[arch] = merging.folders[arch] or {}
        merging.folders[arch][name] = true
    end
    for arch in pairs(merging.folders) do
        merging:make(arch)
    end
    return merging.made
end

return architectures
