-- data_copy.lua - campaigns on the project's data with files of tests in the place of its own, and the commands for that.
-- SPDX-License-Identifier: GPL-3.0-or-later
local data_copy = {}

-- What a shell command prints, its errors too, and its status.
function data_copy.run(command)
    local pipe = assert(io.popen(command .. " 2>&1"))
    local text = pipe:read "a"
    local _, _, status = pipe:close()
    return text, status
end

-- The same for one that must succeed, without the last line's end.
function data_copy.must(command)
    local text, status = data_copy.run(command)
    if status ~= 0 then
        error(("%s: status %d: %s"):format(command, status, text), 0)
    end
    return (text:gsub("\n$", ""))
end

-- Makes `folder` the data (for ASSAY_DATA) of the project in `root`, but with `instead` = { [file in lua/] = file in tests/ }.
function data_copy.make(root, folder, instead)
    data_copy.must(("mkdir -p %s/lua && ln -s %s/* %s/ 2>/dev/null; cp -rs %s/lua %s/"):format(folder, root, folder, root, folder))
    for own, other in pairs(instead) do
        data_copy.must(("ln -sf %s/tests/%s %s/lua/%s"):format(root, other, folder, own))
    end
end

return data_copy
