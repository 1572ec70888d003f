-- text.lua - a fleet for the terminal: groups, nodes that differ, their differences, and what they have in common.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- text.render{ collection =, found = of fleet.judge, width =, all = } -> { text = }
local cells = require "report.text.cells"
local fleet = require "fleet.judge"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local text = {}

local METRICS_MOST, HOSTS_MOST = 4, 8 -- per node; per line

-- A short text of a node's differences.
function text.summary(entry)
    return ("%d metric%s stand%s out, %d verdict%s differ%s"):format(#entry.outliers, #entry.outliers == 1 and "" or "s",
        #entry.outliers == 1 and "s" or "", #entry.verdicts, #entry.verdicts == 1 and "" or "s", #entry.verdicts == 1 and "s" or "")
end

local function percent(value)
    return ("%+.4g"):format(value):gsub("^%+0$", "0")
end

-- "n1, n2, ... and 17 more".
local function some(hosts, most)
    return table.concat(hosts, ", ", 1, math.min(#hosts, most)) .. (#hosts > most and (" and %d more"):format(#hosts - most) or "")
end

local function add_wrapped(lines, indent, words, width)
    lists.append(lines, cells.wrap({ words }, width - #indent), function(line) return indent .. line end)
end

local function add_head(lines, argument)
    local collection, found = argument.collection, argument.found
    local kinds = vocabulary.count(lists.map(collection.nodes, "node"), "kind")
    lines[#lines + 1] = ("fleet of %d nodes with a record: %d native, %d virtual%s"):format(#collection.nodes, kinds.native or 0,
        kinds.virtual or 0, kinds.virtual and " (virtual nodes are no evidence about silicon)" or "")
    lines[#lines + 1] = found.tests > 0
        and ("%d metrics, %d values compared with those of peers; probability of any false alarm: at most %g"):format(
            #collection.metrics, found.tests, found.false_alarms)
        or ("%d metrics; no group has three nodes, so only verdicts are compared"):format(#collection.metrics)
end

-- Nodes without a record: array of { host =, reason = }.
function text.absent(collection)
    local list = lists.collect(collection.status or {}, function(entry)
        return entry.state ~= "done" and { host = entry.host, reason = entry.state .. (entry.why and ", " .. entry.why or "") }
    end)
    return lists.append(list, collection.broken, function(entry)
        return { host = entry.host, reason = "broken record, left out: " .. entry.why }
    end)
end

local function add_absent(lines, argument)
    local list = text.absent(argument.collection)
    if #list > 0 then
        lists.append(lines, { "", ("%d node%s without a record:"):format(#list, #list == 1 and "" or "s") })
        for _, entry in ipairs(list) do
            add_wrapped(lines, "  ", ("%s: %s"):format(entry.host, entry.reason), argument.width)
        end
    end
end

-- A group's state, and in what its nodes differ from each other and from the nodes with which they are compared.
function text.state(group)
    return lists.join({ group.name, group.mixed or false, group.apart or false }, "; ", function(words) return words end)
end

local function add_groups(lines, argument)
    local family
    for number, group in ipairs(argument.found.groups) do
        if group.family ~= family then
            family = group.family
            lists.append(lines, { "", family })
        end
        add_wrapped(lines, "  ", ("group %d: %d node%s: %s"):format(number, group.count, group.count == 1 and "" or "s",
            text.state(group)), argument.width)
        if group.reference ~= number then
            lines[#lines + 1] = ("    too few to compare among themselves: compared with group %d"):format(group.reference)
        elseif #group.distance > 0 then
            local first = group.distance[1]
            add_wrapped(lines, "    ", ("its medians differ from the largest group's in %d metrics, such as %s: %s %%, there %s %%"):format(
                #group.distance, fleet.metric_name(argument.collection.metrics[first.metric]), percent(first.median),
                percent(first.other)), argument.width)
        end
    end
end

-- Outliers, largest first.
function text.sorted_outliers(entry)
    local list = lists.joined(entry.outliers)
    table.sort(list, lists.by(function(outlier) return -math.abs(outlier.ratio) end, "metric"))
    return list
end

-- A node's differences: { blame =, outliers = largest first, verdicts = } as texts; outlier_text(its entry, the metric's name) |nil.
function text.differences(argument, entry, outlier_text)
    local function named(one) return fleet.metric_name(argument.collection.metrics[one.metric]) end
    outlier_text = outlier_text or function(one, name)
        return ("%s: %+.4g %%, off by %.3g limits"):format(name, one.value, math.abs(one.ratio))
    end
    return {
        blame = lists.map(entry.blame, function(words) return "to blame: " .. words end),
        outliers = lists.map(text.sorted_outliers(entry), function(one) return outlier_text(one, named(one)) end),
        verdicts = lists.map(entry.verdicts, function(one)
            return ("%s: %s, elsewhere %s"):format(named(one), one.verdict, one.usual)
        end),
    }
end

local function add_node(lines, argument, entry)
    local most = argument.all and math.huge or METRICS_MOST
    local limit = argument.found.limits[argument.found.groups[entry.group].reference]
    local found = text.differences(argument, entry, function(one, name)
        local peers = limit[one.metric]
        return ("%s: %s %%; %d peers: %s %% +- %.3g"):format(name, percent(one.value), peers.n, percent(peers.median), peers.limit)
    end)
    lines[#lines + 1] = ("  %s (group %d): %s"):format(entry.host, entry.group, text.summary(entry))
    lists.append(lists.append(found.blame, lists.first(found.outliers, most)), lists.first(found.verdicts, most))
    for _, words in ipairs(found.blame) do
        add_wrapped(lines, "    ", words, argument.width)
    end
    local more = math.max(#entry.outliers - most, 0) + math.max(#entry.verdicts - most, 0)
    if more > 0 then
        lines[#lines + 1] = ("    and %d more (--all)"):format(more)
    end
end

local function add_differing(lines, argument)
    lines[#lines + 1] = ""
    if argument.found.differ == 0 then
        lines[#lines + 1] = "no node counts differently from its peers"
        return
    end
    lines[#lines + 1] = ("%d node%s count%s differently:"):format(argument.found.differ, argument.found.differ == 1 and "" or "s",
        argument.found.differ == 1 and "s" or "")
    for _, entry in ipairs(argument.found.nodes) do
        if entry.differs then
            add_node(lines, argument, entry)
        end
    end
end

local function add_separating(lines, argument)
    for _, case in ipairs(argument.found.separates) do
        add_wrapped(lines, "", ("they have in common: %s %s: all %d that differ, %d of the %d others (%s)"):format(case.key, case.value,
            case.of, case.others, case.among, case.family), argument.width)
    end
end

local function add_unstable(lines, argument)
    if #argument.found.unstable == 0 then
        return
    end
    lists.append(lines, { "", "verdicts that differ though no value stands out from those of the peers:" })
    for _, case in ipairs(argument.found.unstable) do
        local parts = lists.map(case.others, function(other)
            return ("%s on %s"):format(other.verdict, some(other.hosts, argument.all and math.huge or HOSTS_MOST))
        end)
        add_wrapped(lines, "  ", ("%s: %s, but %s"):format(fleet.metric_name(argument.collection.metrics[case.metric]), case.usual,
            table.concat(parts, "; ")), argument.width)
    end
end

function text.render(argument)
    local lines = {}
    add_head(lines, argument)
    add_absent(lines, argument)
    add_groups(lines, argument)
    add_differing(lines, argument)
    add_separating(lines, argument)
    add_unstable(lines, argument)
    return { text = table.concat(lines, "\n") .. "\n" }
end

return text
