-- document.lua FILE - runs the commands of a document's console blocks, and looks for the shown output.
--
-- In a ```console block each line "$ COMMAND" is run; it must end with status 0. The lines below it must occur in its output in this
-- order; ... stands for any text, and several blanks count as one. Exit status 1 after the first line that does not.
-- SPDX-License-Identifier: GPL-3.0-or-later

local function flat(text)
    return (text:gsub("[ \t]+", " "):gsub("^ ", ""):gsub(" $", ""))
end

-- The texts between the "..." of a line.
local function parts_of(wanted)
    local parts = {}
    for part in (wanted .. "..."):gmatch "(.-)%.%.%." do
        parts[#parts + 1] = part
    end
    return parts
end

local function matches(line, wanted)
    local parts = parts_of(wanted)
    local first, last = parts[1], parts[#parts]
    if #parts == 1 then
        return line == wanted
    end
    if line:sub(1, #first) ~= first or last ~= "" and line:sub(-#last) ~= last then
        return false
    end
    local at = 1
    for _, part in ipairs(parts) do
        local _, stop = line:find(flat(part), at, true)
        if not stop then
            return false
        end
        at = stop + 1
    end
    return true
end

local function run(command)
    local pipe = io.popen("timeout 120 bash -c '" .. command:gsub("'", "'\\''") .. "' 2>&1")
    local output = {}
    for line in pipe:lines() do
        output[#output + 1] = flat(line)
    end
    local _, _, status = pipe:close()
    print(("$ %s (status %d)"):format(command, status))
    if status ~= 0 then
        print(table.concat(output, "\n"))
        os.exit(1)
    end
    return output
end

-- The index of the first line of output after `at` that matches.
local function find(output, at, wanted)
    for index = at + 1, #output do
        if matches(output[index], flat(wanted)) then
            return index
        end
    end
    print("not in the output: " .. wanted)
    print(table.concat(output, "\n"))
    os.exit(1)
end

local indent, output, at
for line in io.lines(arg[1]) do
    if line:find "^ *```console$" then
        indent = #line:match "^ *"
    elseif line:find "^ *```$" then
        indent = nil
    elseif indent and line:find("^$ ", indent + 1) then
        output, at = run(line:sub(indent + 3)), 0
    elseif indent and line:find "%S" then
        at = find(output, at, line:sub(indent + 1))
    end
end
assert(output, "no command in the document")
