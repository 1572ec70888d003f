-- record.lua - the table of a record that is not a campaign's, by its kind. SPDX-License-Identifier: GPL-3.0-or-later
local record = {}

-- The module of each kind. A module takes what was found under the key that its command uses; here all of these are the record's own.
local MODULES = {
    analysis = "report.text.analysis", configuration = "report.text.configuration", curves = "report.text.curves",
    discovery = "report.text.discovery", events = "report.text.events", laws = "report.text.laws", noise = "report.text.noise",
    sampling = "report.text.sampling",
}

-- { record =, and the options of assay show } -> { text = lines that end with a newline }.
function record.render(argument)
    local found = { found = argument.record }
    for _, values in ipairs { argument.record, argument } do
        for key, value in pairs(values) do
            found[key] = value
        end
    end
    return require(MODULES[argument.record.kind]).render(found)
end

return record
