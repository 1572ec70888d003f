-- traffic.lua - bytes across a boundary of the memory hierarchy, from a kernel's streams and the machine's cache policy.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- One function for all kernels, levels and machines. A boundary is "UPPER-LOWER" ("L2-L3", "L3-MEM"): load is towards the
-- core, evict away from it. Per sweep over a stream of B bytes whose data lie below the boundary:
--     load    B  if the stream is read, or written by ordinary stores that fill the line first (write allocate)
--     evict   B  if it is written by ordinary stores (write-back: every line leaves once; write-through: every store does)
--     Non-temporal stores fill no line and bypass all caches: they are an evict of B at the boundary to memory only.
-- (Treibig, Hager: Introducing a performance model for bandwidth-limited loop kernels, 2009; write-allocate and non-temporal
-- stores: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Memory optimizations: non-temporal stores".)
-- Three parts are also counted separately:
--     data reads        part of load: streams that are read; a stream that is only written is requested for ownership instead
--     modified victims  part of evict: modified lines evicted by caches, without non-temporal stores
--     clean victims     part of evict: clean lines evicted by caches
-- Clean lines leave without a transfer. If the data stay above the boundary, only non-temporal stores cross it.
--
-- A victim level (`victims_to` of the level above it, no load_from) holds only victims of the level above:
--     UPPER-victim   load is every fill of UPPER, from the victim level or, if it misses there, directly from memory. Evict is every
--                    victim of UPPER, clean ones too: a full level evicts a line for each fill, so evict, like load, is B for every
--                    stream that is filled
--     victim-MEM     as for any last level: lines in no level above come from memory, modified ones go there once, clean ones
--                    leave without a transfer. UPPER's policy decides which stores fill lines
-- Capacities add up, because a line is in one of the two only.
--
-- The interval. A region is P sweeps. The caches above the boundary hold C bytes, the streams that use caches S bytes, so at
-- most the share k = min(1, C / S) of every stream is cached at the region's start and at its end (streams advance together, so
-- each has its share of the caches). With L and D the bytes per sweep that are loaded and written:
--     load    P*L - k*L  (as much as possible is cached at the start)  ..  P*L  (nothing is)
--     evict   P*D + dirty(start) - dirty(end), and 0 <= dirty <= k*D:  P*D - k*D .. P*D + k*D
--     evict without a warm-up sweep: lines cached at the start may be dirty in any stream:  .. P*D + k*S
--     evict to a victim level: loaded + cached(start) - cached(end). Of at most k*L cached at the start, R hit and are not loaded,
--             0 <= R <= cached(start):  P*L - R + cached(start) - cached(end), so
--             P*L - k*L (all hit, or none cached, and k*L left at the end) .. P*L + k*L (no hits)
--     modified ones of these: as without a victim level if the data come from memory. Data in the victim level itself do not reach
--             memory: a line once modified returns modified and is evicted so again, read or not. A code that wrote its arrays
--             before has only modified lines, P*L; with an unknown writer P*D - k*D .. P*L + k*S. The rest is clean
-- In addition to its streams, a sweep accesses lines of its own (call, stack frame, constants: validate/kernel/object.h): O bytes read and
-- W bytes written. A sweep larger than the caches displaces them, so O bytes are loaded and W bytes evicted once a sweep.
-- The nominal value is the steady state, P*L and P*D. A total is the sum of both, ends included.
--
-- The difference of a region of P + Q sweeps and one of Q is P sweeps without ends (k = 0): every sweep starts with the cache contents
-- that a sweep leaves, so the contents at start and end are the same in both regions and cancel.
--
-- Each term of the interval has a name and the amount by which it may shift the value; the interval includes all of them:
--     begin     lines cached before the region: fewer loads, more evicts
--     end       lines still cached at the end: evicted after the region
--     owner     modified lines with an unknown writer
--     slices    up to a line more or less of each array in each slice
--     evasion   lines that are only written, at the boundary to memory. Processors with write-allocate evasion (`evades` in machine.lua)
--               may own such a line without reading it, if they expect it to be overwritten as a whole. Their rule is not published; busy
--               memory is a condition. A virtual node does so only if its file has `evasion`
--     prefetch  lines that prefetchers fetch past the end of a stream, up to the end of its page. Streams follow each other from the
--               start of a page (patterns/stream/team.c): lines past a stream that the next one uses are not fetched again
local amounts = require "model.amounts"
local levels = require "model.levels"

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

-- Sub-NUMA clusters of each cache of a level: data of a cluster's memory are only in the cluster's slices of the last level. The caches of
-- virtual nodes are not divided.
local function clusters(machine, node, number)
    local is_sliced = node.kind == "native" and number == #node.caches and levels.of_data(machine)[number].slices == "core"
    return is_sliced and math.max(1, (node.numa_domains or 1) // (node.domains or #node.cpus_by_domain)) or 1
end

-- Number of a level's caches, or of their clusters, that `threads` use: a number of threads, which fill the cores in order, or a list of
-- CPUs. divided: clusters of a cache.
local function caches_used(node, number, threads, divided)
    local sharers = math.max((node.caches[number].shared_by_cores or 1) // divided, 1)
    if type(threads) == "number" then
        return math.ceil(threads / sharers)
    end
    local wanted, count = {}, 0
    for _, cpu in ipairs(threads) do
        wanted[cpu] = true
    end
    local is_last = number == #node.caches
    for _, cpus in ipairs(divided > 1 and node.cpus_by_numa or is_last and node.cpus_by_domain or node.cpus_by_socket) do
        local used = {}
        for place, cpu in ipairs(cpus) do
            local cache = is_last and 0 or (place - 1) // sharers
            count = count + (wanted[cpu] and not used[cache] and 1 or 0)
            used[cache] = used[cache] or wanted[cpu]
        end
    end
    return count
end

-- Bytes that `threads` (number or CPUs) can keep in levels 1 .. `upper`: the cores of a last-level domain share it, and content of an
-- inclusive level counts once.
function model.capacity(machine, node, upper, threads)
    local bytes = 0
    for number, level in ipairs(levels.of_data(machine)) do
        if number <= upper then
            local divided = clusters(machine, node, number)
            local here = node.caches[number].size_bytes // divided * caches_used(node, number, threads, divided)
            bytes = level.inclusive and here or bytes + here
        end
    end
    return bytes
end

-- Bytes per sweep of all streams: loaded, loaded for reading, written back, written past the caches, and cached.
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

-- Interval of a value and terms, { name =, amount = } in bytes, that may lower or raise it.
local function interval(value, terms)
    local low, high, kept = value, value, {}
    for _, term in ipairs(terms or {}) do
        low, high = low + math.min(0, term.amount), high + math.max(0, term.amount)
        kept[#kept + 1] = term.amount ~= 0 and term or nil
    end
    return { min_bytes = math.max(0, low), value_bytes = value, max_bytes = high, terms = kept }
end

-- Adds the sweeps' own bytes if cached data displace them. In a direction where streams move nothing they are not expected; the total
-- always includes them.
local function add_own(moved, own, is_total)
    local parts = { load = own.read + own.written, read = own.read, evict = own.written }
    for name, bytes in pairs(moved.cached > 0 and parts or {}) do
        moved[name] = moved[name] + ((moved[name] > 0 or is_total) and bytes or 0)
    end
end

local function term(name, amount)
    return { name = name, amount = amount }
end

-- Bytes per sweep that prefetchers may fetch into caches `upper` past the ends of streams.
local function past_ends(streams, machine, node, point, upper)
    local most, bytes = amounts.lines_past(node, upper) * node.line_bytes, 0
    for index, stream in ipairs(most > 0 and streams or {}) do
        local is_followed = streams[index + 1] and uses_cache(streams[index + 1])
        local to_page_end = -index * point.stream_bytes % levels.page(machine)
        bytes = bytes + (uses_cache(stream) and not is_followed and math.min(most, to_page_end) or 0)
    end
    return bytes * point.threads
end

-- evaded: bytes of `moved` that need not be read from memory. Their share may differ from sweep to sweep. So in a difference the larger
-- region may read less by those of all its sweeps, and the base region by those of its own.
local function load_interval(moved, passes, base_passes, kept, past, evaded)
    if passes == 0 then
        return interval(0, { term("begin", kept * moved) }) -- the first sweep of a cold start loads the data
    end
    return interval(passes * moved, { term("begin", -kept * (moved - evaded)), term("evasion", -(passes + base_passes) * evaded),
        term("evasion", base_passes * evaded), term("prefetch", moved > 0 and passes * past or 0) })
end

-- Bytes per sweep that the node may own without reading them from memory, below cache `upper`.
local function may_evade(moved, machine, node, upper)
    local evades = node.evades or machine.evades and node.kind == "native"
    return evades and upper == #node.caches and moved.load - moved.read or 0
end

-- For `out` bytes evicted per sweep.
local function evict_interval(out, moved, passes, kept, is_kept_back, warm)
    local late = is_kept_back and kept * out or 0
    return interval(passes * out, { term("begin", warm and late or kept * moved.cached), term("end", -late) })
end

-- The policy of the level above a boundary, and whether all its victims go to the level below. A victim level has the policy of the
-- level that fills it.
local function policy_of(machine, upper)
    local all = levels.of_data(machine)
    local level = all[upper]
    local filled = level and levels.is_victim(level) and all[upper - 1] or level
    return level and { write_allocate = filled.write_allocate, write_back = filled.write_back, gives_all = level.victims_to ~= nil }
end

local function add(a, b)
    local terms = table.move(b.terms, 1, #b.terms, #a.terms + 1, table.move(a.terms, 1, #a.terms, 1, {}))
    return interval(a.value_bytes + b.value_bytes, terms)
end

-- streams   { { loads =, stores =, nontemporal = } .. } of the kernel
-- machine   schema.machine result; node: see plan.lua
-- point     { level = "L2"|"L3"|"MEM", stream_bytes = of ONE stream of ONE thread, passes =, threads = seen by the quantity
--           (1 for a per-core quantity, those of the socket or domain for a quantity of it), cpus = their CPUs |nil (they fill
--           cores in order), warm = true if a sweep preceded the region, written = true if the program wrote all streams before,
--           own = { read =, written = bytes of one thread's sweep outside of streams }|nil,
--           difference = true: the difference of two regions; `passes` is then the number of additional sweeps of the larger
--           region, base_passes that of the smaller region |nil: 0 }
-- direction "load" | "evict" | "total" | "data reads" | "modified victims" | "clean victims"
-- Returns { min_bytes =, value_bytes =, max_bytes =, terms = { { name =, amount = bytes } .. } }.
function model.traffic(streams, machine, node, point, boundary, direction)
    local upper = upper_level(boundary)
    local policy = policy_of(machine, upper)
    if not policy or not node.caches[upper] then
        error(("machine %s has no cache level %d"):format(machine.arch, upper), 0)
    end
    local moved = sweep(streams, policy, point.stream_bytes * point.threads)
    if point.own then
        add_own(moved, { read = point.own.read * point.threads, written = point.own.written * point.threads }, direction == "total")
    end
    local past = upper == #node.caches and point.passes * moved.past or 0
    local passes, kept = point.passes, 0
    if level_number(point.level, node) <= upper then
        passes = 0 -- the data stay above this boundary
        kept = (point.warm or point.difference) and 0 or 1
    elseif moved.cached > 0 and not point.difference then
        kept = math.min(1, model.capacity(machine, node, upper, point.cpus or point.threads) / moved.cached)
    end
    local in_vain = passes > 0 and past_ends(streams, machine, node, point, upper) or 0
    local function evicted(out)
        return evict_interval(out, moved, passes, kept, policy.write_back, point.warm)
    end
    -- Lines that stay in UPPER and a victim level below it stay modified.
    local stays_dirty = policy.gives_all and passes > 0 and level_number(point.level, node) == upper + 1
    if direction == "data reads" then
        return load_interval(moved.read, passes, 0, kept, in_vain, 0)
    elseif direction == "modified victims" then
        if not stays_dirty then
            return evicted(moved.evict)
        end
        local unknown = point.written and 0 or passes * (moved.load - moved.evict)
        return interval(passes * moved.load,
            { term("begin", kept * moved.cached), term("end", -kept * moved.load), term("owner", -unknown) })
    elseif direction == "clean victims" then
        local clean = policy.gives_all and evicted(moved.load - moved.evict) or interval(0)
        if not stays_dirty then
            return clean
        end
        return interval(0, { term("owner", point.written and 0 or clean.max_bytes) })
    end
    local load = load_interval(moved.load, passes, point.base_passes or 0, kept, in_vain, may_evade(moved, machine, node, upper))
    local evict = add(evicted(policy.gives_all and moved.load or moved.evict), interval(past))
    if direction == "total" then
        return add(load, evict)
    end
    return direction == "load" and load or evict
end

-- The part of `bytes`, a result of model.traffic at `point`, that goes through `seen` of `slices` equal slices (or channels). Lines are
-- interleaved, so each slice has its share of a contiguous piece of an array, within less than a line: of L lines, r = L mod slices remain.
-- The slices seen have max(0, r - slices + seen) to min(r, seen) of these instead of r * seen / slices: a difference of at most
-- seen * (slices - seen) / slices. Pieces are each array's sweeps, plus one for its lines cached at the region's ends (none for a
-- difference). Hashed slices distribute lines as evenly, but not to the line.
function model.slice(bytes, slices, point, line_bytes, seen)
    seen = seen or 1
    local ends = point.difference and 0 or 1
    local pieces = point.passes > 0 and bytes.value_bytes / point.stream_bytes * (point.passes + ends) / point.passes or 0
    local uneven = pieces * line_bytes * seen * (slices - seen) / slices
    local terms = { term("slices", -uneven), term("slices", uneven) }
    for _, one in ipairs(bytes.terms or {}) do
        terms[#terms + 1] = term(one.name, one.amount * seen / slices)
    end
    local share = interval(bytes.value_bytes * seen / slices, terms)
    share.min_bytes = bytes.min_bytes * seen / slices - uneven
    share.max_bytes = bytes.max_bytes * seen / slices + uneven
    return share
end

-- Bytes that the code accesses in the region, each stream once per sweep: the scale if 0 is expected.
function model.work(streams, point)
    return #streams * point.stream_bytes * point.threads * point.passes
end

return model
