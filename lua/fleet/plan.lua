-- plan.lua - writes the batch script (script.sh) that validates many nodes, one task per node: by Slurm, an MPI launcher or by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A Slurm array has one request for all its tasks, so a task is not bound to a node, and two tasks could share a free node one after the
-- other while a third node is waiting. Therefore the array is submitted held. While pending, each task is given its node (scontrol update
-- ReqNodeList) and then released. So a dead node delays only its own task. The smallest nodes come first, because their time costs least.
-- With `first` only that many tasks are released; the first task whose node counts releases the others, so the user need not wait for it.
local array = require "input.array"
local json = require "report.page.json"
local line_file = require "input.line_file"
local lists = require "input.lists"

local fleet = {}

local PART = 1000 -- tasks per array: one less than Slurm's default MaxArraySize

local GRACE = 60 -- seconds between the warning signal and the time limit

-- Characters allowed in a word of the script: none is special in the shell, sed or scontrol.
local SAFE = "^[%w_./:=,+@%%%[%]-]+$"

local function check_word(word, where)
    if not word:find(SAFE) then
        error(("%s: %s: letters, digits and _ . / : = , + @ %% [ ] - only"):format(where, word), 0)
    end
    return word
end

-- Quotes a text with single quotes.
local function quoted(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- { text = lines "HOST OPTION...", # begins a comment; file = its name } -> array of { host, options }: additional options of
-- hosts.
function fleet.node_options(argument)
    local list = array()
    line_file.each(argument, function(line, number)
        local words = lists.map(lists.words(line), function(word) return check_word(word, ("%s:%d"):format(argument.file, number)) end)
        if #words == 1 then
            line_file.fail(argument, number, "%s has no options; HOST OPTION..., for instance: n7 --node virtual", words[1])
        end
        list[#list + 1] = { host = table.remove(words, 1), options = table.concat(words, " ") }
    end)
    return list
end

-- A key that sorts names by their numbers: n2 before n10.
local function counted(name)
    return (name:gsub("%d+", function(digits) return ("0"):rep(20 - #digits) .. digits end))
end

-- { [host] = cores } from sinfo's lines "HOST CORES".
local function read_cores(text)
    local cores = {}
    for host, count in text:gmatch "(%S+) (%d+)" do
        cores[host] = tonumber(count)
    end
    return cores
end

-- { hosts = array of names, node_options = of fleet.node_options, file = its file, cores = sinfo's lines "HOST CORES" } ->
-- array of distinct { host, options }, the smallest node first.
function fleet.hosts(argument)
    local further, list, seen = {}, array(), {}
    for _, entry in ipairs(argument.node_options or {}) do
        further[entry.host] = (further[entry.host] and further[entry.host] .. " " or "") .. entry.options
    end
    for _, host in ipairs(argument.hosts) do
        if not seen[host] then
            seen[host] = true
            list[#list + 1] = { host = check_word(host, "--nodes"), options = further[host] or "" }
        end
    end
    local cores = read_cores(argument.cores or "") -- fewest first, unknown ones last; then by name
    table.sort(list, lists.by(function(one) return cores[one.host] or math.huge end, function(one) return counted(one.host) end))
    for host in pairs(further) do
        if not seen[host] then
            error(("%s: %s is none of the %d nodes; name it with --nodes, or leave its line out"):format(argument.file, host, #list), 0)
        end
    end
    return list
end

-- The installation folder of program and data, which is broadcast.
local function prefix_of(argument)
    local prefix = argument.data:match "^(.*)/share/assay$"
    if not prefix or argument.assay ~= prefix .. "/bin/assay" then
        error("--broadcast: this Assay is not installed; make install PREFIX=FOLDER, then FOLDER/bin/assay fleet run", 0)
    elseif not argument.broadcast:find "^/" then
        error(("--broadcast %s: a folder of the nodes' own is expected, from the root on, such as /tmp"):format(argument.broadcast), 0)
    end
    return prefix
end

-- { id =, dir =, assay, data = absolute paths, node =, patterns = array, options = array of further options of validate, minutes =,
--   partition =, hosts = of fleet.hosts, manifest = one line of JSON, broadcast = a folder or nil, first = number, script = text of
--   script.sh }
-- -> { text = the script }.
function fleet.script(argument)
    for _, word in ipairs(lists.joined(argument.patterns, argument.options)) do
        check_word(word, "assay fleet run")
    end
    local values = {
        COUNT = ("%d"):format(#argument.hosts),
        MINUTES = ("%d"):format(argument.minutes),
        GRACE = ("%d"):format(GRACE),
        PARTITION = argument.partition and "#SBATCH --partition=" .. check_word(argument.partition, "--partition") or "#",
        ID = quoted(argument.id),
        DIR = quoted(argument.dir),
        ASSAY = quoted(argument.assay),
        NODE = quoted(check_word(argument.node, "--node")),
        PATTERNS = quoted(table.concat(argument.patterns, " ")),
        OPTIONS = quoted(table.concat(argument.options, " ")),
        LAUNCHER = quoted(argument.launcher),
        BROADCAST = quoted(argument.broadcast and check_word(argument.broadcast, "--broadcast") or ""),
        PREFIX = quoted(argument.broadcast and prefix_of(argument) or ""),
        PART = ("%d"):format(PART),
        PILOTS = ("%d"):format(argument.first),
        HOSTS = lists.join(argument.hosts, "\n", function(entry) return entry.host .. " " .. entry.options end), -- a blank ends the name
        MANIFEST = argument.manifest,
    }
    return { text = (argument.script:gsub("@(%u+)@", values)) }
end

-- The description of a fleet: DIR/fleet.json.
local function manifest_of(argument)
    local names, further = array(), {}
    for i, entry in ipairs(argument.hosts) do
        names[i] = entry.host
        further[entry.host] = entry.options ~= "" and entry.options or nil
    end
    local manifest = { part = PART, hosts = names, node_options = further, assay = argument.version }
    for _, key in ipairs { "id", "launcher", "node", "minutes", "partition", "first", "broadcast" } do
        manifest[key] = argument[key]
    end
    manifest.patterns, manifest.options = array(argument.patterns), array(argument.options)
    return manifest
end

-- fleet.script's argument, but with hosts = names, node_options = { text =, file = } |nil: lines HOST OPTION..., cores = sinfo's lines
-- nil, version = Assay's, and without manifest -> { text = the script, manifest = }.
function fleet.make(argument)
    local options = argument.node_options
    local planned = setmetatable({}, { __index = argument })
    planned.hosts = fleet.hosts { hosts = argument.hosts, node_options = options and fleet.node_options(options),
        file = options and options.file, cores = argument.cores }
    local manifest = manifest_of(planned)
    planned.manifest = json.encode(manifest)
    return { text = fleet.script(planned).text, manifest = manifest }
end

return fleet
