-- Bad page placement: pages that were first touched by one thread, by their users, or by both in turn (patterns/page_placement.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Two threads, one on each socket, each chase along a list of their own, `times` times. A list has a node in each pair of lines of its
-- pages and is twice as large as all caches of its user, so each link reads a line from memory. The pair's other line is not used: an
-- adjacent-line prefetcher may fetch it, and changes no level that serves a load. The memory belongs to the socket whose thread touched the
-- page first; the page is bound to it:
--     by_users    the thread that uses it
--     by_one      the first thread
--     in_turn     the first thread for every other page, the second for the rest
--     in_hbm      the thread that uses it, with a policy for high-bandwidth memory, on nodes that have it beside the other (flat mode)
-- Nothing is claimed for lists that caches may keep in part. Reads of the Marker API are not modelled: they are below the tolerance.
local LOST = 2 -- list size, in multiples of the caches, from which on the caches hold none of it when the chase starts again
local MOST = 12 -- largest list, in the same unit: smaller lists show the same in less time

-- Links of the thread's chase; nil if it is uncertain that all go to memory.
local function links(at)
    local bytes, kept = at.point.pages * at.machine.processor.page, capacity(at.machine, at.node, #at.node.caches, 1)
    if at.parts.pass.loads ~= 1 then
        error("a pass of the chase is no link; compile it without unrolling")
    elseif bytes < LOST * kept or bytes > MOST * kept then
        return nil
    end
    return bytes // pair_bytes(at.node) * at.point.times
end

-- Share of the pages of thread `user` that lie on the socket of `thread`.
local function share(at, user, thread)
    if at.code.name == "in_turn" then
        return 1 / 2
    end
    return (at.code.name == "by_one" and 0 or user) == thread and 1 or 0
end

local function amount(value, work)
    return value > 0 and value or none_of(work)
end

-- Lines that the thread fetches from its own socket's memory, and from the other's.
local function own(at)
    local count = links(at)
    return count and amount(count * share(at, at.thread, at.thread), count)
end

local function others(at)
    local count = links(at)
    return count and amount(count * (1 - share(at, at.thread, at.thread)), count)
end

local function remote_share(at)
    return links(at) and amount(1 - share(at, at.thread, at.thread), 1)
end

-- Bytes that the controllers of a socket read, for both threads. `at.first` is the socket's own thread.
local function read_of_socket(at)
    local count = links(at)
    local bytes = count and count * (share(at, 0, at.first) + share(at, 1, at.first)) * at.node.line_bytes
    return bytes and (bytes > 0 and with_neighbours(bytes, at.node) or none_of(count * at.node.line_bytes))
end

-- Of both memories of a socket, pages lie in one.
local function read_of(memory)
    return function(at)
        if memory == (at.code.memory or "ddr") then
            return read_of_socket(at)
        end
        local count = at.node.hbm and links(at)
        return count and none_of(count * at.node.line_bytes)
    end
end

return pattern {
    name = "page_placement",
    title = "Bad page placement",
    class = "hazard",
    about = "A page lies in the memory of the socket that touched it first: threads of other sockets fetch it over the link.",
    desired = "Lines from the thread's own socket and from another one, lines read from each socket's memory",
    advice = "Initialise data in parallel with the same distribution as in the loops that use them, with pinned threads: the "
        .. "first touch places a page. Where that is impossible, interleave pages (numactl --interleave) or run one "
        .. "process for each NUMA domain.",
    codes = {
        code { name = "by_one", runs = "ring_chase" },
        code { name = "by_users", runs = "ring_chase" },
        code { name = "in_turn", runs = "ring_chase" },
        code { name = "in_hbm", runs = "ring_chase", memory = "hbm", needs = "hbm", optional = true },
    },
    parameters = { "pages", "times" },
    placements = { "across" },
    points = {
        point { pages = 2048, times = 6, quick = true },
        point { pages = 3072, times = 6, quick = true },
        point { pages = 17408, times = 4, quick = true }, -- for nodes with a large L3
        point { pages = 24576, times = 4 },
        point { pages = 32768, times = 4, quick = true }, -- for up to 64 MiB of caches
    },
    quantities = {
        quantity { name = "loads from own memory", expect = own },
        quantity { name = "loads from other memory", expect = others },
        quantity { name = "reads from own memory", expect = own },
        quantity { name = "reads from other memory", expect = others },
        quantity { name = "remote share of memory reads", expect = remote_share },
        quantity { name = "L3-MEM load volume", expect = read_of "ddr" },
        quantity { name = "high-bandwidth memory load volume", expect = read_of "hbm", optional = true },
    },
    cost = function(at)
        return 2 * at.point.pages * at.machine.processor.page // pair_bytes(at.node) * (at.point.times + 3)
    end,
    controls = {
        present = control { code = "by_one", thread = 1 }, -- only thread 1 shows it: the first thread's pages are its own in both codes
        absent = control { code = "by_users", thread = 1 },
    },
    signature = "remote share of memory reads",
    -- Most lines from memory come from another socket, and they are many.
    tests = {
        test { quantity = { "remote share of memory reads" }, most = 1 },
        test { quantity = { "reads from other memory" }, per = "instructions", most = 1 },
    },
    explains = explains {
        needs = { "reads from other memory" },
        cycles = function(at)
            return cost(at, "reads from other memory")
        end,
        ruled_out = function(node)
            return node.sockets == 1 and "one socket" or nil
        end,
    },
}
