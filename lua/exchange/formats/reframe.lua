-- reframe.lua - groups as a test for ReFrame that measures a program with them. SPDX-License-Identifier: GPL-3.0-or-later
--
-- The guard: the test fails on another processor than the evidence's, whose name likwid-perfctr prints. With evidence of native nodes it
-- also fails if a file in SHOWN_BY shows another setting than theirs. Settings without such a file are only in the comment at the top.
local lists = require "input.lists"

-- A text as a regular expression inside r'..'.
local function escaped(text)
    return (text:gsub("[^%w%s_]", function(char) return char == "'" and "." or "\\" .. char end))
end

local CPUS = "/sys/devices/system/cpu/"

-- Files that show a setting, and the pattern of their line with a value of it.
local SHOWN_BY = {
    { key = "governor", file = CPUS .. "cpu0/cpufreq/scaling_governor", line = escaped },
    { key = "turbo", file = CPUS .. "intel_pstate/no_turbo", line = function(value) return value and "0" or "1" end },
    { key = "turbo", file = CPUS .. "cpufreq/boost", line = function(value) return value and "1" or "0" end },
    { key = "numa_balancing", file = "/proc/sys/kernel/numa_balancing", line = function(value) return value and "[1-9]" or "0" end },
    { key = "smt", file = CPUS .. "smt/active", line = function(value) return value > 1 and "1" or "0" end },
}

local HEAD = [[
import reframe as rfm
import reframe.utility.sanity as sn

CPU = r'%s'
SETTINGS = {%s}
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
        self.prerun_cmds = ['grep -sH . ' + ' '.join(SETTINGS) + ' || true'] if SETTINGS else []
        self.executable_opts = ['-O', '-C', 'S0:0', '-g', self.group, self.program]

    @sanity_function
    def is_node_of_the_evidence(self):
        return sn.all([sn.assert_found(r'CPU name:,\s*' + CPU, self.stdout)] + [
            sn.assert_not_found(f'^{file}:(?!{line}$)', self.stdout, f'{file}: another setting than that of the evidence')
            for file, line in SETTINGS.items()
        ])

    @run_before('performance')
    def read(self):
        self.perf_variables = {
            name: sn.make_performance_function(sn.extractsingle(pattern, self.stdout, 1, float), unit)
            for name, pattern, unit in METRICS[self.group]
        }
]]

local function settings_of(architecture)
    local is_native = architecture.evidence[1].kind == "native"
    local lines = lists.collect(is_native and SHOWN_BY or {}, function(shown)
        local value = architecture.settings[shown.key]
        return value ~= nil and ("    '%s': r'%s',\n"):format(shown.file, shown.line(value))
    end)
    return #lines > 0 and "\n" .. table.concat(lines) or ""
end

return function(architecture)
    local cpus = lists.sorted(lists.set(architecture.evidence, function(one) return escaped(one.cpu or one.arch) end))
    local lines = lists.map(architecture.origin, function(line) return "# " .. line end)
    lines[#lines + 1] = HEAD:format("(?:" .. table.concat(cpus, "|") .. ")", settings_of(architecture)):gsub("\n$", "")
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
