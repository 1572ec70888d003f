-- run.lua - finds the configuration of odd geometries from counts alone, and prints the differences from the node file.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--     lua5.4 tests/configuration/run.lua [--node NAME of odd.lua] [--keep FOLDER]
--
-- from the project's folder; BUILD as for make. Properties that a node file omits must be those that Assay states. --keep: writes the
-- findings there, as JSON.
-- Exit status 1 if a property is not found correctly.
local campaign = dofile "tests/campaign.lua"
local odd = dofile "tests/configuration/odd.lua"
local PARTS = { L1I = "l1i", L1 = "l1d", L2 = "l2", L3 = "l3", ITLB = "itlb", DTLB = "dtlb", STLB = "stlb" }

local function sorted(map)
    local names = {}
    for name in pairs(map) do
        names[#names + 1] = name
    end
    table.sort(names)
    return names
end

-- A node file of numbers and tables of numbers.
local function write(path, node)
    local lines = {}
    for _, key in ipairs(sorted(node)) do
        local value = node[key]
        if type(value) == "table" then
            value = ("{ %s }"):format(table.concat({ value.size and "size = " .. value.size or "entries = " .. value.entries,
                "ways = " .. value.ways }, ", "))
        elseif type(value) == "string" then
            value = ("%q"):format(value)
        end
        lines[#lines + 1] = ("    %s = %s,\n"):format(key, value)
    end
    campaign.write(path, ("return {\n%s}\n"):format(table.concat(lines)))
end

-- What is wrong with a finding; nil if it is right.
local function check(finding, node)
    if finding.reason then
        return finding.reason
    end
    local true_one, wrong = node[PARTS[finding.part]], nil
    local function is(word, found, value)
        if value and found ~= value then
            wrong = ("%s: %s %s, not %s"):format(finding.part, word, tostring(found), tostring(value))
        end
    end
    if not true_one then
        for _, word in ipairs(finding.differs) do
            if word ~= "unit" or not node.page then
                is(word, finding[word], finding.stated[word])
            end
        end
    else
        local slices = finding.part == "L3" and finding.stated.bytes / true_one.size or 1 -- hwloc knows how many there are
        is("ways", finding.ways, true_one.ways)
        is("bytes", finding.bytes, true_one.size and true_one.size * slices)
        is("entries", finding.entries, true_one.entries)
    end
    is("pages", finding.kind == "TLB" and finding.unit, finding.kind == "TLB" and node.page)
    return wrong
end

local function main(options, scratch)
    local folder, all, wrong = options.keep or scratch, 0, 0
    for _, name in ipairs(sorted(odd)) do
        if not options.node or options.node == name then
            local base = folder .. "/" .. name
            write(base .. ".lua", odd[name])
            local command = "%s/assay configuration --node virtual:%s.lua --out %s.json"
            local text, status = campaign.run(command:format(campaign.BUILD, base, base))
            local is_made, found = pcall(campaign.read_json, base .. ".json")
            if not is_made then
                error(("%s: status %d: %s"):format(name, status, text), 0)
            end
            for _, finding in ipairs(found.parts) do
                local what = check(finding, odd[name])
                all, wrong = all + 1, wrong + (what and 1 or 0)
                if what then
                    print(name, what)
                end
            end
            print(("%-14s %d parts, %.0f s"):format(name, #found.parts, found.seconds))
        end
    end
    print(("%d parts, %d not found as they are"):format(all, wrong))
    return wrong == 0 and all > 0
end

campaign.main(main, { node = "text", keep = "text" }, {})
