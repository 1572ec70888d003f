-- stand_in.lua - what every output says of a virtual node that was measured in the place of a machine with counters.
-- SPDX-License-Identifier: GPL-3.0-or-later

-- `node`: a record's. nil if the node is what was to be measured.
return function(node)
    if type(node.not_validated) == "string" then
        return ("This machine was NOT validated: %s. The results are those of a virtual %s."):format(node.not_validated, node.arch)
    end
end
