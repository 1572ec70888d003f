-- faults.lua - a record's injected faults, as lines of the fault file; --noise is one of its lines, but makes no counter wrong.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

return function(record)
    return lists.filter(record.faults or {}, function(line) return not line:find "^%* noise " end)
end
