-- skylakeX.lua - pairs of events that the campaign cannot tell apart on Skylake-SP's virtual nodes (fields: run.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
return {
    nodes = { { "virtual:skylakeX-1x2" }, { "virtual:skylakeX-2x1", patterns = "line_sharing" } },
    same = {
    },
}
