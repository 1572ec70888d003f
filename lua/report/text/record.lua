-- record.lua - text of a record that is not a campaign's: calls the module of its kind. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local record = {}

-- The module for each kind of record.
local MODULES = {
    analysis = "program.report.analysis", configuration = "events.report.configuration", curves = "report.text.curves",
    diagnosis = "program.report.diagnosis",
    discovery = "events.report.discovery", events = "events.report.events", laws = "program.report.laws", noise = "events.report.noise",
    sampling = "sampling.report.text",
}

-- Modules differ in where they expect the record: as `record`, as `found`, or its keys in the argument itself.
-- { record =, and the options of assay show } -> { text = lines that end with a newline }.
function record.render(argument)
    local found = lists.merge(lists.merge({ found = argument.record }, argument.record), argument)
    return require(MODULES[argument.record.kind]).render(found)
end

return record
