-- stand_in.lua - the warning in every output about a virtual node that was measured instead of a machine with counters.
-- SPDX-License-Identifier: GPL-3.0-or-later

-- `node`: a record's node. Returns nil if the requested node itself was measured.
return function(node)
    if type(node.not_validated) == "string" then
        return ("This machine was NOT validated: %s. The results are those of a virtual %s."):format(node.not_validated, node.arch)
    end
end
