-- commands.lua - the commands that a campaign executed. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local commands = {}

-- One line for a run of which several repetitions have the same command.
local function line(run, command, why)
    return ("%s%s\n  %s"):format(run:gsub("/%d+$", ""), why and " (failed: " .. why .. ")" or "", command)
end

-- { record = } -> { text = lines that end with a newline }. Older records have commands of failed runs only.
function commands.render(argument)
    local lines = lists.collect(argument.record.runs or {}, function(one)
        return one.command and line(one.run, one.command)
    end)
    lists.append(lines, argument.record.failures, function(one) return line(one.run, one.command, one.why or one.stderr_tail) end)
    if #lines == 0 then
        lines[1] = "this record keeps no commands: it is of an older Assay"
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return commands
