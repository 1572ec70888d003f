-- amounts.lua - results of pattern models other than plain numbers (plan/points.lua lists all kinds of results).
-- SPDX-License-Identifier: GPL-3.0-or-later
local amounts = {}

local ROOM = 0.6 -- the rest is for stack, code and unevenly mapped pages
local LOST = 2
local STREAM_AHEAD = 20 -- lines from a request to the farthest one that the streamer fetches
local OPEN = 1000 -- times the minimum, stands for no upper limit
local MODEL = 0.1 -- relative error of the tools' processor models, which are approximations from measurements

-- Zero is expected; `work` (in the model's unit) is the count of a code that does cause the events.
function amounts.none_of(work)
    return { min = 0, value = 0, max = 0, work = work }
end

-- A minimum without upper limit, for counts that depend on timing, such as threads waiting for each other.
function amounts.at_least(least)
    local most = OPEN * least
    return { min = least, value = least, max = most, terms = { { name = "synchronisation", amount = most - least } } }
end

-- Index of the cache or TLB that serves `amount` of data swept repeatedly in the same order; `sizes` ascend. A level keeps all of an
-- amount up to ROOM of its size (and up to `most[level]`, if given), and nothing of LOST times its size or more. #sizes + 1 if no level
-- serves it; nil between the bounds.
function amounts.place_of(amount, sizes, most)
    for place, size in ipairs(sizes) do
        if amount <= math.min(ROOM * size, most and most[place] or size) then
            return place
        elseif amount < LOST * size then
            return nil
        end
    end
    return #sizes + 1
end

-- Error of a count of `lines` consecutive lines that sees only some boxes and is scaled up to all. The lines lie in the boxes in turn.
-- part: { seen = counted boxes, of = all boxes }, nil if all are counted -> { low =, high = } lines that may be missing, or too many.
function amounts.uneven_lines(lines, part)
    if not part then
        return { low = 0, high = 0 }
    end
    local rest, scale = lines % part.of, part.of / part.seen
    return { low = rest - scale * math.max(0, rest - part.of + part.seen), high = scale * math.min(rest, part.seen) - rest }
end

-- Bytes of a list's node: a pair of lines, of which only the first is used (patterns/program/ring.h).
function amounts.pair_bytes(node)
    return 2 * node.line_bytes
end

-- Can the prefetcher with LIKWID's name be on? By LIKWID's list of the node's prefetchers; a virtual node without a list has none.
local function may_prefetch(node, name)
    local prefetchers = node.prefetchers or node.kind ~= "virtual" and "unknown"
    return prefetchers and not tostring(prefetchers):find(name .. " off", 1, true)
end

-- Most lines that prefetchers fetch into cache `number` past the last one of a stream: into L1 the next line and the next address of the
-- load, into others as many as the streamer runs ahead, and a neighbour (Intel's optimization manual, on data prefetching).
function amounts.lines_past(node, number)
    local first = (may_prefetch(node, "DCU_PREFETCHER") and 1 or 0) + (may_prefetch(node, "IP_PREFETCHER") and 1 or 0)
    if number == 1 then
        return first
    end
    return first + (may_prefetch(node, "HW_PREFETCHER") and STREAM_AHEAD or 0) + (may_prefetch(node, "CL_PREFETCHER") and 1 or 0)
end

-- Bytes that are fetched for `bytes` in lines whose neighbours are not used: an adjacent-line prefetcher fetches these, too.
function amounts.with_neighbours(bytes, node)
    if not may_prefetch(node, "CL_PREFETCHER") then
        return bytes
    end
    return { min = bytes, value = bytes, max = 2 * bytes, terms = { { name = "adjacent-line prefetches", amount = bytes } } }
end

-- An amount per instruction: a number divided by `instructions`; none_of becomes none_of(1).
function amounts.per_instruction(amount, instructions)
    return type(amount) == "number" and amount / instructions or amounts.none_of(1)
end

-- Cycles per instruction of a function's loop: on a processor what llvm-mca predicts of a pass (`parts` of points.lua), over its
-- instructions. If OSACA predicts it too, neither is preferred: the interval reaches from MODEL below the smaller to MODEL above the
-- larger. No claim for a virtual node without a pipeline.
function amounts.cycles_per_instruction(node, parts)
    if node.kind == "virtual" and not node.has_pipeline then
        return { none = "a virtual node's time model has neither latencies of arithmetic nor execution units"
            .. " (its name lacks +pipeline)" }
    end
    local in_core = parts.in_core
    if not in_core or in_core.none then
        return { none = in_core and in_core.none or "nothing predicts the cycles of a pass" }
    end
    local beside = in_core.beside and in_core.beside.cycles and in_core.beside or in_core
    local least = beside.cycles < in_core.cycles and beside or in_core
    local most = beside.cycles > in_core.cycles and beside or in_core
    local value = in_core.cycles / parts.pass.instructions
    local min, max = (1 - MODEL) * least.cycles / parts.pass.instructions, (1 + MODEL) * most.cycles / parts.pass.instructions
    return {
        min = min,
        value = value,
        max = max,
        terms = { { name = most.by, amount = max - value }, { name = least.by, amount = min - value } },
    }
end

-- Weighted count, { [event] = weight }, of a number of passes of a function's loop and the code around it: `parts` of points.lua.
function amounts.executed(parts, passes, weights)
    local sum = 0
    for event, weight in pairs(weights) do
        sum = sum + weight * (parts.constant[event] + passes * parts.pass[event])
    end
    return sum
end

return amounts
