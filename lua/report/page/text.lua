-- text.lua - a record's page that shows the table of assay show. SPDX-License-Identifier: GPL-3.0-or-later
local frame = require "report.page.frame"
local escape = require("report.page.html").escape
local record_text = require "report.text.record"

local text = {}

local TITLES = { configuration = "Caches and TLBs", discovery = "Events found by counts", events = "Events", laws = "Laws between counters",
    noise = "Noise of events" }
local WIDTH = 160

-- { record =, file =, style = } -> { text = the self-contained page }
function text.page(argument)
    local record = argument.record
    local lines = frame.open(argument, TITLES[record.kind], {})
    lines[#lines + 1] = "<pre>" .. escape(record_text.render({ record = record, width = WIDTH, all = true }).text) .. "</pre>"
    return frame.close(lines, record)
end

return text
