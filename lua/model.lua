-- model.lua - bytes that cross a boundary of the memory hierarchy, from a kernel's streams and the machine's cache policy.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- One function for all kernels, levels and machines. A boundary is "UPPER-LOWER" ("L2-L3", "L3-MEM"): load is towards the
-- core, evict away from it. Per sweep over a stream of B bytes whose data lie below the boundary:
--     load    B  if the stream is read, or written by ordinary stores that fill the line first (write allocate)
--     evict   B  if it is written by ordinary stores (write-back: every line leaves once; write-through: every store does)
--     Non-temporal stores fill no line and pass all caches: they are an evict of B at the boundary to memory only.
-- (Treibig, Hager: Introducing a performance model for bandwidth-limited loop kernels, 2009; write-allocate and non-temporal
-- stores: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Memory optimizations: non-temporal stores".)
-- Two parts of it are seen on their own:
--     data reads        of load, the streams that are read: a stream that is only written is requested for ownership instead
--     modified victims  of evict, what caches give up: non-temporal stores are none of it
-- Clean lines leave without a transfer. If the data stay above the boundary, only non-temporal stores cross it.
--
-- The interval. A region is P sweeps. The caches above the boundary hold C bytes, the streams that use caches S bytes, so at
-- most the share k = min(1, C / S) of every stream is there at the region's begin and at its end (streams advance together, so
-- each holds its share of the caches). With L and D the bytes per sweep that are loaded and written:
--     load    P*L - k*L  (all that can be there at the begin is)  ..  P*L  (nothing is)
--     evict   P*D + dirty(begin) - dirty(end), and 0 <= dirty <= k*D:  P*D - k*D .. P*D + k*D
--     evict without a warm-up sweep: what is there at the begin may be dirty in any stream:  .. P*D + k*S
-- The nominal value is that of the steady state, P*L and P*D. A total is the sum of both, ends included.
local model = {}

local function upper_level(boundary)
    local level = boundary:match("^L(%d+)%-")
    if not level then
        error(("'%s' is no boundary (L1-L2, .., L3-MEM)"):format(tostring(boundary)), 0)
    end
    return tonumber(level)
end

local function level_number(level, node)
    if level == "MEM" then
        return #node.caches + 1
    end
    local number = tonumber(tostring(level):match("^L(%d+)$"))
    if not number or not node.caches[number] then
        error(("level '%s' does not exist on node %s"):format(tostring(level), node.name), 0)
    end
    return number
end

local function uses_cache(stream)
    return stream.loads or (stream.stores and not stream.nontemporal) or false
end

-- Number of streams that occupy caches: all but those that are only written by non-temporal stores.
function model.cached_streams(streams)
    local count = 0
    for _, stream in ipairs(streams) do
        count = count + (uses_cache(stream) and 1 or 0)
    end
    return count
end

-- Bytes that `threads` threads of one socket can keep in levels 1 .. `upper`: what an inclusive level holds is counted once.
function model.capacity(machine, node, upper, threads)
    local bytes = 0
    for level = 1, upper do
        local cache = node.caches[level]
        local sharers = math.max(cache.shared_by_cores or 1, 1)
        local here = cache.size_bytes * math.ceil(threads / sharers)
        bytes = machine.caches[level].inclusive and here or bytes + here
    end
    return bytes
end

-- Bytes per sweep of all streams: loaded, loaded because they are read, written back, written past the caches, and lying in caches.
local function sweep(streams, policy, bytes)
    local moved = { load = 0, read = 0, evict = 0, past = 0, cached = 0 }
    for _, stream in ipairs(streams) do
        local fills = stream.stores and not stream.nontemporal
        if stream.loads then
            moved.read = moved.read + bytes
        end
        if stream.loads or (fills and policy.write_allocate) then
            moved.load = moved.load + bytes
        end
        if fills then
            moved.evict = moved.evict + bytes
        elseif stream.stores then
            moved.past = moved.past + bytes
        end
        if uses_cache(stream) then
            moved.cached = moved.cached + bytes
        end
    end
    return moved
end

local function interval(low, value, high)
    return { min_bytes = math.max(0, low), value_bytes = value, max_bytes = high }
end

local function load_interval(moved, passes, kept)
    local value = passes * moved
    if passes == 0 then
        return interval(0, 0, kept * moved) -- the first sweep of a cold start brings the data in
    end
    return interval(value - kept * moved, value, value)
end

local function evict_interval(moved, passes, kept, policy, warm)
    local value = passes * moved.evict
    local late = policy.write_back and kept * moved.evict or 0
    local early = warm and late or kept * moved.cached
    return interval(value - late, value, value + early)
end

-- streams   { { loads =, stores =, nontemporal = } .. } of the kernel
-- machine   schema.machine result; node: see plan.lua
-- point     { level = "L2"|"L3"|"MEM", stream_bytes = of ONE stream of ONE thread, passes =, threads = seen by the quantity
--           (1 for a per-core quantity, the socket's threads for a socket-wide one), warm = true if a sweep preceded the region }
-- direction "load" | "evict" | "total" | "data reads" | "modified victims"
-- Returns { min_bytes =, value_bytes =, max_bytes = }.
function model.traffic(streams, machine, node, point, boundary, direction)
    local upper = upper_level(boundary)
    local policy = machine.caches[upper]
    if not policy or not node.caches[upper] then
        error(("machine %s has no cache level %d"):format(machine.arch, upper), 0)
    end
    local moved = sweep(streams, policy, point.stream_bytes * point.threads)
    local past = upper == #node.caches and point.passes * moved.past or 0
    local passes, kept = point.passes, 0
    if level_number(point.level, node) <= upper then
        passes = 0 -- the data stay above this boundary
        kept = point.warm and 0 or 1
    elseif moved.cached > 0 then
        kept = math.min(1, model.capacity(machine, node, upper, point.threads) / moved.cached)
    end
    local evict = evict_interval(moved, passes, kept, policy, point.warm)
    if direction == "modified victims" then
        return evict
    elseif direction == "data reads" then
        return load_interval(moved.read, passes, kept)
    end
    local load = load_interval(moved.load, passes, kept)
    for key, bytes in pairs(evict) do
        evict[key] = bytes + past
    end
    if direction == "total" then
        local total = {}
        for key, bytes in pairs(load) do
            total[key] = bytes + evict[key]
        end
        return total
    end
    return direction == "load" and load or evict
end

-- The part of `bytes`, a result of model.traffic at `point`, that goes through one of `slices` equal slices. Lines lie in the slices
-- in turn, so of a contiguous piece of an array each slice has its share, and less than a line more or less: (slices - 1) / slices at
-- most. Pieces are each array's sweeps and, one more, what the caches keep of it at the region's ends. Hashed slices share lines out
-- as evenly, but not to the line.
function model.slice(bytes, slices, point, line_bytes)
    local pieces = point.passes > 0 and bytes.value_bytes / point.stream_bytes * (point.passes + 1) / point.passes or 0
    local uneven = pieces * line_bytes * (slices - 1) / slices
    return interval(bytes.min_bytes / slices - uneven, bytes.value_bytes / slices, bytes.max_bytes / slices + uneven)
end

-- Bytes that the code itself reads and writes in the region, each stream once a sweep: the yardstick where 0 is expected.
function model.work(streams, point)
    return #streams * point.stream_bytes * point.threads * point.passes
end

return model
