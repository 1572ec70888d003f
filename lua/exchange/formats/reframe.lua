-- reframe.lua - groups as a test for ReFrame that measures a program with them. SPDX-License-Identifier: GPL-3.0-or-later
--
-- The guard: the test fails on another processor than the evidence's, whose name likwid-perfctr prints. Other settings that verdicts
-- depend on are in the comment at the top.
local lists = require "input.lists"

local HEAD = [[
import reframe as rfm
import reframe.utility.sanity as sn

CPU = r'%s'
METRICS = {
]]

local TAIL = [[
}


@rfm.simple_test
class AssayGroups(rfm.RunOnlyRegressionTest):
    group = parameter(sorted(METRICS))
    program = variable(str, value='likwid-bench -t load -w S0:1GB:1')
    valid_systems = ['*']
    valid_prog_environs = ['*']
    executable = 'likwid-perfctr'

    @run_before('run')
    def measure(self):
        self.executable_opts = ['-O', '-C', 'S0:0', '-g', self.group, self.program]

    @sanity_function
    def is_processor_of_the_evidence(self):
        return sn.assert_found(r'CPU name:,\s*' + CPU, self.stdout)

    @run_before('performance')
    def read(self):
        self.perf_variables = {
            name: sn.make_performance_function(sn.extractsingle(pattern, self.stdout, 1, float), unit)
            for name, pattern, unit in METRICS[self.group]
        }
]]

-- A text as a regular expression inside r'..'.
local function escaped(text)
    return (text:gsub("[^%w%s_]", function(char) return char == "'" and "." or "\\" .. char end))
end

return function(architecture)
    local cpus = lists.sorted(lists.set(architecture.evidence, function(one) return escaped(one.cpu or one.arch) end))
    local lines = lists.map(architecture.origin, function(line) return "# " .. line end)
    lines[#lines + 1] = HEAD:format("(?:" .. table.concat(cpus, "|") .. ")"):gsub("\n$", "")
    for _, group in ipairs(architecture.groups) do
        if #group.metrics > 0 then
            lines[#lines + 1] = ("    '%s': ["):format(group.name)
            for _, metric in ipairs(group.metrics) do
                lists.append(lines, metric.facts, function(line) return "        # " .. line end)
                local title = escaped(metric.name .. (metric.unit and " [" .. metric.unit .. "]" or ""))
                lines[#lines + 1] = ("        ('%s', r'^%s,([0-9.e+-]+)', '%s'),"):format(metric.id, title, metric.unit or "1")
            end
            lines[#lines + 1] = "    ],"
        end
    end
    return table.concat(lines, "\n") .. "\n" .. TAIL
end
