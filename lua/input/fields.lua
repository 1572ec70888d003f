-- fields.lua - descriptions of the fields of data files' entries, as entries.lua checks them.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fields = {}

-- A field: { type, optional, positive, may_be_empty = true, one_of = {..}, match = a pattern, or_word = a word instead of a number,
-- entry = its kind, of = kind of a list's elements, shown = true: entries may describe several metrics (shown.lua) }.
-- A kind: { [field] = description }.
function fields.field(kind, more)
    local description = more or {}
    description.type = kind
    return description
end

function fields.list(of, more)
    local description = more or {}
    description.type, description.of = "table", of
    return description
end

fields.OPEN = {} -- key of a kind that accepts any other fields
fields.TEXT, fields.POSITIVE = fields.field "string", fields.field("number", { positive = true })

return fields
