-- identifier.lua - "Loads past L2" -> "loads_past_l2". SPDX-License-Identifier: GPL-3.0-or-later
return function(name)
    return (name:lower():gsub("[^%w]+", "_"):gsub("^_+", ""):gsub("_+$", ""):gsub("^(%d)", "_%1"))
end
