-- zen3.lua - pairs of events that the campaign cannot tell apart on Zen 3's virtual nodes (fields: run.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
return {
    nodes = { { "virtual:tests/nodes/zen3_mid.lua" } },
    same = {
    },
}
