-- counted.lua - what counted the events of a record: LIKWID and its version, or an interface without LIKWID.
-- SPDX-License-Identifier: GPL-3.0-or-later

-- `node`: a record's node. Returns nil if it is unknown.
return function(node)
    if node.interface then
        return ("counted by %s, without LIKWID"):format(node.interface)
    end
    return node.likwid and "LIKWID " .. node.likwid
end
