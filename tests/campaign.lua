-- campaign.lua - what the programs tests/*/run.lua share, which run whole campaigns: main function, options, commands, files, data in
-- which files of tests stand for the project's own, and a few of many.
-- SPDX-License-Identifier: GPL-3.0-or-later
local json = dofile "tests/json.lua"
local campaign = { read_json = json.read }

campaign.BUILD = os.getenv("BUILD") or "build" -- as make has it

function campaign.read(path)
    local file <close> = assert(io.open(path))
    return file:read "a"
end

function campaign.write(path, text)
    local file <close> = assert(io.open(path, "w"))
    assert(file:write(text))
end

-- What a shell command prints, its errors too, and its status.
function campaign.run(command)
    local pipe = assert(io.popen(command .. " 2>&1"))
    local text = pipe:read "a"
    local _, _, status = pipe:close()
    return text, status
end

-- The same for one that must succeed, without the last line's end.
function campaign.must(command)
    local text, status = campaign.run(command)
    if status ~= 0 then
        error(("%s: status %d: %s"):format(command, status, text), 0)
    end
    return (text:gsub("\n$", ""))
end

-- Makes `folder` the data (for ASSAY_DATA) of the project in `root`, but with `instead` = { [file in lua/] = file in tests/ }.
function campaign.data(root, folder, instead)
    campaign.must(("mkdir -p %s/lua && ln -s %s/* %s/ 2>/dev/null; cp -rs %s/lua %s/"):format(folder, root, folder, root, folder))
    campaign.must(("ln -sfn $(realpath %s)/groups %s/groups"):format(campaign.BUILD, folder))
    for own, other in pairs(instead) do
        campaign.must(("ln -sf %s/tests/%s %s/lua/%s"):format(root, other, folder, own))
    end
end

-- Command-line words as options: --NAME with what kinds[NAME] says follows ("text", a whole "number", or nothing: "flag"), any other
-- word as options[rest] (nil: there is none). `options` is what they are without words.
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

-- The whole of a program: work(options, scratch), whose truth is the exit status; the folder `scratch` is gone afterwards.
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

-- So many of a list, or all, evenly spread from its first to its last.
function campaign.spread(list, count)
    local chosen, last = {}, math.min(count, #list)
    for number = 1, last do
        chosen[number] = list[1 + (number - 1) * (#list - 1) // math.max(1, last - 1)]
    end
    return chosen
end

return campaign
