-- unknown_preset.lua - a preset that PAPI does not have. SPDX-License-Identifier: GPL-3.0-or-later
return {
    name = "unknown-preset", class = "S23", severity = "error", about = "group", needs = "presets",
    title = "PAPI has no preset of that name",
    check = function(group, say, arch)
        for _, metric in ipairs(group.metrics) do
            if group.is_preset and not arch.presets[metric.name] then
                say(metric.line, ("%s: %s of %s has no such preset"):format(metric.name, group.words.table, group.arch),
                    group.words.unknown)
            end
        end
    end,
}
