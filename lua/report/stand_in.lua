-- stand_in.lua - the warning that a virtual node was measured because this machine cannot be; every output has it.
-- SPDX-License-Identifier: GPL-3.0-or-later

-- `node`: a record's node. Returns nil if the requested node itself was measured.
return function(node)
    if type(node.not_validated) == "string" then
        return ("This machine was NOT validated: %s. The results are those of a virtual %s."):format(node.not_validated, node.arch)
    end
end
