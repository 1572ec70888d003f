-- plan.lua - the plan of a validation: every command with its job, and what is skipped, pattern by pattern.
-- SPDX-License-Identifier: GPL-3.0-or-later
local boxes = require "plan.boxes"
local lists = require "input.lists"

local plan = {}

local function plural(count, word)
    return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end

local function size(bytes)
    return bytes >= 1 << 20 and ("%g MiB"):format(bytes / (1 << 20)) or ("%g KiB"):format(bytes / 1024)
end

-- The node in one line: what planning knows of it.
local function describe(node)
    local caches = lists.join(node.caches, ", ", function(cache)
        return ("L%d %s of %s"):format(cache.level, size(cache.size_bytes), plural(cache.shared_by_cores, "core"))
    end)
    local used = lists.flat(node.cpus_by_socket)
    local same = node.cores == node.sockets * node.cores_per_socket
    local cores = plural(same and node.cores_per_socket or node.cores, "core")
    return ("%s %s %s, %s a core, %s; %s; measured: CPU %s"):format(plural(node.sockets, "socket"), same and "of" or "with", cores,
        plural(node.smt, "hardware thread"), plural(node.numa_domains, "NUMA domain"), caches, plan.ranges(used))
end

-- "0-3,8" for { 0, 1, 2, 3, 8 }, in the list's order.
function plan.ranges(cpus)
    local parts = {}
    for _, cpu in ipairs(cpus) do
        local last = parts[#parts]
        if last and cpu == last.to + 1 then
            last.to = cpu
        else
            parts[#parts + 1] = { from = cpu, to = cpu }
        end
    end
    return lists.join(parts, ",", function(part) return part.from == part.to and part.from or part.from .. "-" .. part.to end)
end

-- Which boxes the plan assumes; their presence is counted only when measuring.
local function describe_boxes(node, machine)
    local seen = lists.join(machine.counters, "; ", function(box)
        local found = boxes.seen(box, node)
        return found and ("%s %s"):format(box.name, plan.ranges(found))
    end)
    return ("boxes: %s; a campaign first counts on them and leaves out absent ones"):format(
        seen ~= "" and seen .. ", by the node's PCI devices" or "those that the architecture may have here")
end

-- The heading of a job.
local function heading(job)
    if job.empty then
        return "the cost of measuring: empty regions"
    end
    return job.pattern .. (job.clean and ", without the node's faults" or "")
end

local function title(job)
    local codes = lists.map(lists.group(job.points, "code"), function(points) return points[1].code end)
    return ("  job %s: %s%sCPU %s%s"):format(job.id, job.level and "data in " .. job.level .. ", " or "",
        job.placement and job.placement .. ", " or "", plan.ranges(job.cpus),
        #codes > 0 and ("; %s of %s"):format(plural(#job.points, "region"), table.concat(codes, ", ")) or "")
end

-- Appends a job with its commands; returns the number of its commands in all repetitions.
local function add_job(lines, job, commands, reps)
    local own = math.min(job.reps or reps, reps)
    lines[#lines + 1] = title(job) .. (own < reps and ("; %s only"):format(plural(own, "repetition")) or "")
    for index, run in ipairs(job.runs) do
        lines[#lines + 1] = ("    %s = %s"):format(run.name, lists.join(run.events, ", ", function(event)
            return event.event .. ":" .. event.counter
        end))
        lines[#lines + 1] = "      " .. commands[index].command
    end
    return own * #job.runs
end

local WHAT = { "level", "placement", "code", "quantity" }

-- What an entry skips; a quantity only where the reason does not begin with it.
local function skipped_part(one)
    local words = lists.collect(WHAT, function(key)
        local named = key == "quantity" and one[key] and one.reason:sub(1, #one[key]) == one[key]
        return not named and one[key]
    end)
    return #words > 0 and table.concat(words, " ") or nil
end

-- One line for all entries of a pattern with the same reason.
local function skipped_line(same)
    local what = table.concat(lists.distinct(lists.collect(same, skipped_part)), "; ")
    return ("  %s%s: %s"):format(same[1].pattern, what == "" and "" or " (" .. what .. ")", same[1].reason)
end

-- Patterns that are not planned and have no entry that says why.
local function add_unplanned(skipped, patterns, plans)
    for index, one in ipairs(plans) do
        if #one.jobs == 0 and #one.skipped == 0 then
            local reason = "none of its points has a model with these options"
            skipped[#skipped + 1] = { pattern = patterns[index].name, reason = reason }
        end
    end
end

local function add_skipped(lines, patterns, plans)
    local skipped = lists.flat(plans, function(one) return one.skipped end)
    add_unplanned(skipped, patterns, plans)
    if #skipped > 0 then
        lines[#lines + 1] = "\nskipped"
    end
    lists.append(lines, (lists.group(skipped, function(one) return one.pattern .. " " .. one.reason end)), skipped_line)
end

-- { node = as in plan.lua, machine =, patterns = schema.pattern results, plans = one of each, jobs = of all patterns and companions, in
-- order, commands = of the jobs' runs, in order: { { job = id, run = name, command = text } .. }, reps = }
-- -> { text = lines that end with a newline }
function plan.render(argument)
    local lines, total, last = { describe(argument.node) }, 0, nil
    lists.append(lines, argument.node.left_out or {}, function(text) return "not used: " .. text end)
    if argument.node.kind == "native" then
        lines[#lines + 1] = describe_boxes(argument.node, argument.machine)
    end
    local commands = select(2, lists.group(argument.commands, "job"))
    for _, job in ipairs(argument.jobs) do
        if heading(job) ~= last then
            last = heading(job)
            lines[#lines + 1] = "\n" .. last
        end
        total = total + add_job(lines, job, commands[job.id], argument.reps)
    end
    add_skipped(lines, argument.patterns, argument.plans)
    lines[#lines + 1] = ("\n%s with %s, in this order; "):format(plural(#argument.jobs, "job"), plural(#argument.commands, "run"))
        .. ("%s: %s. Nothing was measured."):format(plural(argument.reps, "repetition"), plural(total, "command"))
    return { text = table.concat(lines, "\n") .. "\n" }
end

return plan
