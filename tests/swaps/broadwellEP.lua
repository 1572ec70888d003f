-- broadwellEP.lua - pairs of events that the campaign cannot tell apart on Broadwell-EP's virtual nodes (fields: run.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
return {
    nodes = { { "virtual:broadwellEP-1x2" }, { "virtual:broadwellEP-2x1", patterns = "line_sharing" } },
    same = {
    },
}
