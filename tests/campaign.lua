-- campaign.lua - shared by the programs tests/*/run.lua, which run whole campaigns: main function, options, commands, files, data folders
-- in which files of tests/ replace the project's own, and selections from lists.
-- SPDX-License-Identifier: GPL-3.0-or-later
local json = dofile "tests/json.lua"
local campaign = { read_json = json.read }

campaign.BUILD = os.getenv("BUILD") or "build" -- the same default as in the Makefile

function campaign.read(path)
    local file <close> = assert(io.open(path))
    return file:read "a"
end

function campaign.write(path, text)
    local file <close> = assert(io.open(path, "w"))
    assert(file:write(text))
end

-- The output of a shell command, with standard error, and its status.
function campaign.run(command)
    local pipe = assert(io.popen(command .. " 2>&1"))
    local text = pipe:read "a"
    local _, _, status = pipe:close()
    return text, status
end

-- The same for a command that must succeed; without the final newline.
function campaign.must(command)
    local text, status = campaign.run(command)
    if status ~= 0 then
        error(("%s: status %d: %s"):format(command, status, text), 0)
    end
    return (text:gsub("\n$", ""))
end

-- Copies the project's data from `root` to `folder` (for ASSAY_DATA) and replaces files there: `instead` = { [file in lua/] =
-- file in tests/ }.
function campaign.data(root, folder, instead)
    campaign.must(("mkdir -p %s/lua && ln -s %s/* %s/ 2>/dev/null; cp -rs %s/lua %s/"):format(folder, root, folder, root, folder))
    campaign.must(("ln -sfn $(realpath %s)/groups %s/groups"):format(campaign.BUILD, folder))
    for own, other in pairs(instead) do
        campaign.must(("ln -sf %s/tests/%s %s/lua/%s"):format(root, other, folder, own))
    end
end

-- Command-line words as options. kinds[NAME] is the kind of --NAME: "text" and "number" (a whole one) take the next word, "flag" none. Any
-- other word is options[rest] (nil: not allowed). `options` has the defaults.
function campaign.options(words, kinds, options, rest)
    local index = 1
    while words[index] do
        local word = words[index]
        local name = word:match "^%-%-(.+)$"
        local kind = kinds[name]
        if kind == "flag" then
            options[name] = true
        elseif kind and words[index + 1] then
            index = index + 1
            options[name] = kind == "text" and words[index] or math.tointeger(tonumber(words[index]))
                or error(("--%s %s: a whole number is wanted"):format(name, words[index]), 0)
        elseif not name and rest then
            options[rest] = word
        else
            error(word .. ": unknown, or without what belongs to it; the program's first lines say what there is", 0)
        end
        index = index + 1
    end
    return options
end

-- Runs a program: work(options, scratch). Exit status 0 if it returns true, else 1; the folder `scratch` is removed afterwards.
function campaign.main(work, kinds, options, rest)
    options = campaign.options(arg, kinds, options, rest)
    local scratch = campaign.must "mktemp -d"
    local has_ended, result = pcall(work, options, scratch)
    campaign.must("rm -rf " .. scratch)
    if not has_ended then
        error(result, 0)
    end
    os.exit(result)
end

-- `count` elements of a list, or all, evenly spread from the first to the last.
function campaign.spread(list, count)
    local chosen, last = {}, math.min(count, #list)
    for number = 1, last do
        chosen[number] = list[1 + (number - 1) * (#list - 1) // math.max(1, last - 1)]
    end
    return chosen
end

return campaign
