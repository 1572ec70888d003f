-- run.lua - does `assay discover` find the events of every quantity on a node whose events are exchanged with each other?
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--     lua5.4 tests/discovery/run.lua [--node NODE] [--shuffle N] [--found FILE]
--
-- from the project's folder; BUILD as for make. Discovers on the node with `* shuffle N` (3). Then likwid-perfctr measures
-- each discovered group file there, over a LIKWID benchmark that is not a probe, and Assay's group for the same quantity over the same
-- program on a clean node. Both must agree within 1 % and the cost of measuring. --found: uses the findings in FILE instead.
-- Exit status 1 if a quantity is not found, or shows something else.
local campaign = dofile "tests/campaign.lua"
local BUILD, must = campaign.BUILD, campaign.must
local KINDS = { node = "text", shuffle = "number", found = "text" }
local PROGRAM = "likwid-bench -t update -w S0:16MB:1 -i 8"
local NEAR, COST = 0.01, 3000 -- share of the value; counts: allowed differences of the two measurements

-- The group's metric on the node, summed over cores and sockets; nil if it is not shown.
local function measure(scratch, node, fault, group, metric)
    local options = fault and ("--fault %s"):format(fault) or ""
    local command = "HOME=%s %s/assay vnode --node %s %s -- likwid-perfctr -C S0:0 -g %s -O %s"
    local text = must(command:format(scratch, BUILD, node, options, group, PROGRAM))
    for line in text:gmatch "[^\n]+" do
        local name, value = line:match "^(.-),([%d.e+-]+)"
        if name and name:gsub(" %[.-%]$", "") == metric then
            return tonumber(value)
        end
    end
    return nil
end

local function main(options, scratch)
    local arch = options.node:match "^[^-]+"
    local fault, folder = scratch .. "/fault", ("%s/.likwid/groups/%s"):format(scratch, arch)
    must(("mkdir -p %s && cp %s/groups/%s/*.txt %s/ && echo '* shuffle %d' >%s"):format(folder, BUILD, arch, folder, options.shuffle, fault))
    if not options.found then
        must(("%s/assay discover --node virtual:%s --fault %s --out %s/found.json"):format(BUILD, options.node, fault, scratch))
    end
    local found = campaign.read_json(options.found or scratch .. "/found.json")
    local missing, different, same, silent = 0, 0, 0, 0
    for _, one in ipairs(found.found) do
        if not one.events then
            missing = missing + 1
            print(("%-34s %s"):format(one.quantity, one.reason))
        elseif one.file then
            campaign.write(("%s/%s.txt"):format(folder, one.name), one.file)
            local wanted = measure(scratch, options.node, nil, one.group, one.quantity)
            local shown = measure(scratch, options.node, fault, one.name, one.quantity)
            local scale = one.unit == "GBytes" and 64e-9 or 1
            local is_near = wanted and shown and math.abs(shown - wanted) <= NEAR * math.abs(wanted) + COST * scale
            different, same = different + (is_near and 0 or 1), same + (is_near and 1 or 0)
            silent = silent + (wanted and wanted <= COST * scale and 1 or 0)
            print(("%-34s %-14s %-14s %s"):format(one.quantity, wanted, shown, is_near and "" or "NOT the same"))
        end
    end
    print(("%s: %d of %d quantities found; over another program %d show the same (%d of these next to nothing), %d something else"):format(
        options.node, #found.found - missing, #found.found, same, silent, different))
    return missing == 0 and different == 0 and same > 0
end

campaign.main(main, KINDS, { node = "haswellEP-1x2", shuffle = 3 })
