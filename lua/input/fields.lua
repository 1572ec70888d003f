-- fields.lua - how the fields of a data file's entries are described: what schema.lua checks.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fields = {}

-- A field: { type, optional = true, one_of = {..}, or_word = a word in a number's place, entry = its kind, of = kind of a list's
-- elements, shown = true: one of which may say the same of several metrics (shown.lua) }. A kind: { [field] = description }.
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

fields.OPEN = {} -- key of a kind that takes other fields, too
fields.TEXT, fields.POSITIVE = fields.field "string", fields.field("number", { positive = true })

return fields
