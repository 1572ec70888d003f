-- pages.lua - lua5.4 docs/pages.lua [--check]: docs/patterns/*.md, from patterns/, docs/architectures/*.md, from groups/ and the
-- newest records, docs/papers.md, from docs/papers.lua, and the matrices of docs/diagnose.md, from docs/diagnosis/ (make pages).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Run it in the project's folder after `make`; BUILD is the build folder, as for make. --check writes nothing and names the pages that
-- differ, with exit status 1.
local build = os.getenv "BUILD" or "build"
package.path = "lua/?.lua;docs/?.lua;tests/?.lua;" .. package.path
package.cpath = ("%s/sandbox/?.so;%s"):format(build, package.cpath)
local architecture = require "report.wiki.architecture"
local confusion = require "diagnosis.confusion"
local group = require "input.group"
local json = require "json"
local lists = require "input.lists"
local loaded = require "input.loaded"
local page = require "report.wiki.pattern"
local papers = require "papers_page"
local probe = require "input.probe"
local schema = require "input.schema"
local vendor = require "input.vendor"

local PATTERNS, ARCHITECTURES, PAPERS = "docs/patterns/", "docs/architectures/", "docs/papers.md"
local DIAGNOSE = "docs/diagnose.md"

-- The place of a file: those of groups/ as they were built.
local function place(path)
    return (path:gsub("^groups/", build .. "/groups/"))
end

local function read(path)
    local file = path:match "%.gz$" and io.popen("gzip -dc " .. path) or io.open(place(path))
    local text = file and file:read "a"
    if file then
        assert(file:close(), path .. ": gzip cannot read it")
    end
    return text
end

-- The first capture of the Lua pattern `capture` in the name of each file that matches the shell pattern `files`.
local function names(files, capture)
    local found = {}
    local list = assert(io.popen("ls " .. place(files) .. " 2>/dev/null"))
    for path in list:lines() do
        found[#found + 1] = path:match(capture)
    end
    list:close()
    return found
end

-- The newest record of each of an architecture's nodes, results/ARCH/NODE/DATE.json, in the order of their names: of native nodes if there
-- are any, else of virtual ones; no historical ones.
local function newest(arch)
    local found = {}
    for _, node in ipairs(names(("-d results/%s/*/"):format(arch), "(.*)/")) do
        local files = names(node .. "/*.json*", "(.*)") -- by date
        found[#found + 1] = files[1] and json.decode(read(files[#files]))
    end
    local function of(kind)
        return lists.filter(found, function(record) return record.node.kind == kind end)
    end
    local native = of "native"
    return #native > 0 and native or of "virtual"
end

local function architectures()
    local found, counts = {}, "groups/counts.lua"
    local shared = { text = read(counts), file = counts }
    for i, arch in ipairs(names("groups/*/machine.lua", "groups/([^/]*)/machine.lua$")) do
        local path, groups = ("groups/%s/machine.lua"):format(arch), {}
        for _, name in ipairs(names(("groups/%s/*.txt"):format(arch), "([^/]*)%.txt")) do
            local file = ("groups/%s/%s.txt"):format(arch, name)
            groups[name] = group.parse { text = read(file), file = file }
        end
        local codes = read(("groups/%s/pmu.vendor"):format(arch))
        local events = read(("groups/%s/pmu.events"):format(arch)) or read(("groups/%s/pmu.used"):format(arch)) -- native stage
        found[i] = { machine = schema.machine { text = read(path), file = path, shared = shared }, groups = groups,
            records = newest(arch), vendor = codes and events and vendor.by_event(vendor.check { codes = codes, events = events }) }
    end
    return found
end

-- The record of the default virtual node.
local function reference(known)
    local default = lists.find(known, function(one) return (one.machine.processor or {}).default end)
    return lists.find(default.records, function(record) return record.node.name:match "%-1x2$" end)
end

local function make_papers(known, patterns)
    local probes = {}
    for _, name in ipairs(names("probes/*.lua", "probes/(.*)%.lua")) do
        local path = ("probes/%s.lua"):format(name)
        probe.read { text = read(path), file = path }
        probes[name] = loaded.find({ name = name }, "probes")
    end
    return papers.render { sections = require "papers", record = reference(known), patterns = patterns, architectures = known,
        probes = probes, concepts = read "probes/concepts.txt" }
end

-- The patterns' pages by path, with one that lists them -> pages, array of patterns.
local function make_patterns()
    local pages, all = {}, {}
    local index = { "<!-- Made by `make pages` from patterns/: change these. -->", "", "# Patterns", "" }
    for i, name in ipairs(names("patterns/*.lua", "patterns/(.*)%.lua")) do
        local path = ("patterns/%s.lua"):format(name)
        local source = read(path)
        local pattern = schema.pattern { text = source, file = path }
        pages[PATTERNS .. name .. ".md"] = page.render {
            pattern = pattern,
            text = source,
            program = read(("patterns/%s.c"):format(name)),
            model = pattern.levels and read "lua/model/traffic.lua",
        }
        all[i] = pattern
        index[#index + 1] = ("- [%s](%s.md) (%s): %s"):format(pattern.title, name, pattern.class, pattern.about)
    end
    pages[PATTERNS .. "README.md"] = table.concat(index, "\n") .. "\n"
    return pages, all
end

local function make_diagnose()
    local truth = {}
    for half, path in pairs(confusion.TRUTH) do
        truth[half] = lists.filter(confusion.rows(read(path)), function(row) return (row.half or half) == half end)
    end
    return confusion.page(read(DIAGNOSE), lists.map(names("docs/diagnosis/*.tsv", "(docs/.*)"), function(path)
        local arch, half = path:match "([^/]*)-(%l*)%.tsv$"
        return { arch = arch, half = half, text = read(path) }
    end), lists.map(names("docs/diagnosis/*.faults", "(docs/.*)"), function(path)
        return { arch = path:match "([^/]*)%.faults$", text = read(path) }
    end), truth)
end

-- All pages by path.
local function make()
    local known, pages, patterns = architectures(), make_patterns()
    for _, one in ipairs(known) do
        one.patterns = patterns
        pages[("%s%s.md"):format(ARCHITECTURES, one.machine.arch)] = architecture.page(architecture.known(one))
    end
    pages[ARCHITECTURES .. "README.md"] = architecture.table(known)
    local programs = {}
    for _, pattern in ipairs(patterns) do
        programs[pattern.name] = loaded.find(pattern)
    end
    pages[PAPERS] = make_papers(known, programs)
    pages[DIAGNOSE] = make_diagnose()
    return pages
end

local is_check, status = arg[1] == "--check", 0
local pages = make()
for name, text in pairs(pages) do
    if is_check and read(name) ~= text then
        print(("%s is not what the specification gives; make pages"):format(name))
        status = 1
    elseif not is_check then
        local file = assert(io.open(name, "w"))
        assert(file:write(text))
        assert(file:close())
    end
end
for _, folder in ipairs { PATTERNS, ARCHITECTURES } do
    for _, path in ipairs(names(folder .. "*.md", "(.*)")) do
        if not pages[path] then
            print(("%s is no page of the specification; remove it"):format(path))
            status = 1
        end
    end
end
os.exit(status)
