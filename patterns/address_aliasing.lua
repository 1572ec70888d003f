-- 4 KiB aliasing: following a list and writing a table, one word further in a page or half a page apart (patterns/address_aliasing.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- One node of the list is one pass of the disassembled loop: a load and a store. Processors first compare the lower twelve bits of a load's
-- address with addresses of stores that are still in flight. A list of P pages is a ring of 512 P nodes.
--     aliased    each load matches the store of the node before it, which lies in another page. This is also so at the ring's end, because
--                the list is a whole number of pages. One aliased load per node, except for the very first
--     apart      the store with the same lower bits was 256 nodes earlier, more than a core has in flight: no aliased loads
-- The code around the loop is not modelled: it is below the tolerance.
local NODES = 512 -- of a page

local function nodes(at)
    local pass = at.parts.pass
    if pass.loads ~= 1 or pass.stores ~= 1 then
        error("a pass of follow's loop is no node: a load and a store; compile it without unrolling")
    end
    return NODES * at.point.pages * at.point.times
end

local function aliased(at)
    local count = nodes(at)
    return at.code.name == "aliased" and count - 1 or none_of(count)
end

local function aliased_share(at)
    return per_instruction(aliased(at), executed(at.parts, nodes(at), { instructions = 1 }))
end

return pattern {
    name = "address_aliasing",
    title = "4 KiB aliasing",
    class = "hazard",
    about = "A load has the same offset in its page as an earlier store to another page: the processor takes them for the same address and "
        .. "repeats the load.",
    desired = "Loads that were held up by a store to the same offset in another page",
    advice = "Shift arrays against each other: pad leading dimensions so that they are no multiple of 4096 bytes, and let each array"
        .. " begin at another offset in its page, so that no load follows a store to the same offset in another page.",
    codes = {
        code { name = "aliased", runs = "follow" },
        code { name = "apart", runs = "follow" },
    },
    parameters = { "pages", "times" },
    placements = { "core" },
    points = {
        point { pages = 1, times = 4096, quick = true },
        point { pages = 2, times = 3072, quick = true },
        point { pages = 3, times = 3072 },
    },
    quantities = {
        quantity { name = "aliased loads", expect = aliased },
        quantity { name = "aliased loads per instruction", expect = aliased_share },
    },
    -- Accesses that L1 serves are simulated faster: they count half.
    cost = function(at)
        return nodes(at)
    end,
    controls = { present = control { code = "aliased" }, absent = control { code = "apart" } },
    signature = "aliased loads per instruction",
    also = {
        also { pattern = "bandwidth_saturation", reason = "for some sizes, the streams are only a few lines apart in their pages" },
    },
    explains = explains {
        needs = { "aliased loads" },
        cycles = function(at)
            return cost(at, "aliased loads")
        end,
    },
}
