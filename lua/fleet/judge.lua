-- judge.lua - finds nodes of a fleet that count differently from their peers, and what these nodes have in common.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- fleet.judge{ collection = of gather.h, false_alarms = rate over all tests together } -> {
--   groups   array of { name, family, count, hosts, state = { [key] = value }, reference = number of the group that it is compared with,
--                       mixed, apart = texts: settings in which its nodes differ, or its state from the reference's |nil,
--                       distance = array of { metric, median, other }: metrics whose median differs from the reference's }
--   limits   { ["group"] = array of limits.of's results, one per metric, false without values }
--   nodes    all nodes, those that differ first: array of { host, group, outliers = array of { metric, value, ratio },
--                       verdicts = array of { metric, verdict, usual }, blame = array of texts,
--                       state = array of texts: settings that differ from most nodes of the family's largest group }
--   differ   number of nodes that differ
--   unstable array of { metric, usual, others = array of { verdict, hosts } }: verdicts that differ although no value is an outlier
--   separates array of { family, key, value, of, others, among }: properties of all nodes that differ and of few others
--   tests, false_alarms }
-- Groups, metrics and nodes are indices into the lists of collection and groups.
local array = require "input.array"
local limits = require "fleet.limits"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local stats = require "numeric.stats"
local vocabulary = require "judge.vocabulary"

local fleet = {}

-- Nodes of a family execute the same code; nodes of a group are also in the same state (STATE).
fleet.FAMILY = { "kind", "arch", "cpu", "sockets", "cores", "llc_bytes" }
fleet.STATE = { "stepping", "microcode", "smt", "numa_per_socket", "prefetchers", "access", "likwid" }
-- Other properties that may explain differences between nodes.
local BESIDE = { "kernel", "governor", "watchdog", "turbo", "numa_balancing", "cpuset", "large_pages", "family", "model", "assay" }

local SMALL = 5 -- a group with fewer nodes is compared with the largest group of its family
local FEW = 0.05 -- largest share of the other nodes that may have a separating property

local function value_of(entry, key)
    return key == "assay" and entry.assay or entry.node[key]
end

local function key_of(entry, keys)
    return lists.join(keys, "\t", function(key) return tostring(value_of(entry, key)) end)
end

-- "ARCH, the processor's name, 2 x 12 cores".
local function family_name(node)
    local sockets, cores = node.sockets, node.cores
    local size = sockets and cores and (", %d x %d cores"):format(sockets, cores // sockets) or ""
    return ("%s %s%s%s"):format(node.kind, node.arch, node.cpu and ", " .. node.cpu or "", size)
end

local function group_name(node)
    return lists.join(fleet.STATE, ", ", function(key)
        return node[key] ~= nil and ("%s %s"):format(key, tostring(node[key]))
    end)
end

-- Groups, sorted by family name, then by size, largest first.
local function make_groups(nodes)
    local groups, by_key = {}, {}
    for i, entry in ipairs(nodes) do
        local family_key, state = key_of(entry, fleet.FAMILY), {}
        local key = family_key .. "\n" .. key_of(entry, fleet.STATE)
        for _, name in ipairs(fleet.STATE) do
            state[name] = entry.node[name]
        end
        local group = lists.bin(by_key, key, { family = family_name(entry.node), name = group_name(entry.node), state = state,
            members = {}, key = key, family_key = family_key }, groups)
        table.insert(group.members, i)
    end
    table.sort(groups, lists.by("family_key", function(group) return -#group.members end, "key"))
    return groups
end

-- Sets each group's reference: itself; for a small group the largest one of its family, if that is not small.
local function choose_references(groups)
    for i, group in ipairs(groups) do
        local first = i
        while first > 1 and groups[first - 1].family_key == group.family_key do
            first = first - 1
        end
        group.largest = first
        group.reference = #group.members < SMALL and #groups[first].members >= SMALL and first or i
    end
end

local function values_of(nodes, members, metric)
    local values = {} -- a plain loop: called for thousands of metrics and nodes
    for _, member in ipairs(members) do
        values[#values + 1] = nodes[member].values[metric]
    end
    return values
end

local function count_tests(collection, groups)
    local tested = lists.filter(groups, function(group) return #groups[group.reference].members >= limits.LEAST end)
    local tests = 0
    for _, member in ipairs(lists.flat(tested, "members")) do
        for metric = 1, #collection.metrics do
            tests = collection.nodes[member].values[metric] and tests + 1 or tests
        end
    end
    return tests
end

-- limits.of for every metric of every group.
local function find_limits(collection, groups, false_alarms, tests)
    local tolerances = lists.map(collection.metrics, "tolerance_pct")
    return lists.map(groups, function(group)
        local columns = lists.map(collection.metrics, function(_, metric) return values_of(collection.nodes, group.members, metric) end)
        return limits.of(columns, tolerances, false_alarms, tests)
    end)
end

local function letter(node, metric)
    local found = node.verdicts:sub(metric, metric)
    return found ~= "" and found ~= "-" and found or nil
end

local function word_of(found)
    return vocabulary.VERDICTS[found:byte() - ("a"):byte() + 1]
end

-- The most frequent verdict; of equally frequent ones the better.
local function usual_verdict(nodes, members, metric)
    local counts, best = {}, nil
    for _, member in ipairs(members) do
        local found = letter(nodes[member], metric)
        if found then
            counts[found] = (counts[found] or 0) + 1
        end
    end
    for found, count in pairs(counts) do
        if not best or count > counts[best] or (count == counts[best] and found < best) then
            best = found
        end
    end
    return best
end

local function usual_verdicts(collection, groups)
    return lists.map(groups, function(group)
        return lists.map(collection.metrics, function(_, metric)
            return usual_verdict(collection.nodes, group.members, metric) or false
        end)
    end)
end

-- With too few peers for a limit, the node is compared with the first peer that has the usual verdict.
local function differs_from_model(collection, group, usual, member, metric)
    local value = collection.nodes[member].values[metric]
    for _, other in ipairs(group.members) do
        local peer = collection.nodes[other].values[metric]
        if letter(collection.nodes[other], metric) == usual and peer then
            return math.abs(value - peer) > limits.relevant(collection.metrics[metric].tolerance_pct)
        end
    end
    return false
end

-- Adds the differences of a node's metric from its peers: an outlier, with or without another verdict, or only another verdict.
local function judge_metric(state, entry, member, metric)
    local group = state.groups[entry.group]
    local node = state.collection.nodes[member]
    local limit, usual = state.limits[group.reference][metric], state.usual[group.reference][metric]
    local value, found = node.values[metric], letter(node, metric)
    local is_outlier = value and limit and limit.limit and math.abs(value - limit.median) > limit.limit
    if is_outlier then
        table.insert(entry.outliers, { metric = metric, value = value, ratio = (value - limit.median) / limit.limit })
    end
    if not usual or not found or found == usual then
        return
    end
    local without = (value == nil) ~= (not limit or limit.n * 2 <= #state.groups[group.reference].members)
    local is_alone = value and limit and not limit.limit
        and differs_from_model(state.collection, state.groups[group.reference], usual, member, metric)
    if is_outlier or without or is_alone then
        table.insert(entry.verdicts, { metric = metric, verdict = word_of(found), usual = word_of(usual) })
    else
        local key = ("%d %d"):format(metric, group.reference)
        local case = lists.bin(state.unstable, key, { metric = metric, usual = word_of(usual), hosts = {} }, state.unstable_list)
        lists.push(case.hosts, word_of(found), node.host)
    end
end

-- A text of blame without its numbers, which vary by noise.
local function gist(text)
    return (text:gsub("[%d.]+", "#"))
end

-- Number of nodes in each group with the same blame.
local function count_blame(state)
    local counts = {}
    for number, group in ipairs(state.groups) do
        counts[number] = {}
        for _, member in ipairs(group.members) do
            for _, text in ipairs(state.collection.nodes[member].blame) do
                counts[number][gist(text)] = (counts[number][gist(text)] or 0) + 1
            end
        end
    end
    return counts
end

-- The node's blame that most of its peers do not have.
local function own_blame(state, counts, number, node)
    local reference = state.groups[number].reference
    return array(lists.collect(node.blame, function(text)
        local peers = counts[reference][gist(text)] or 0
        return 2 * peers <= #state.groups[reference].members and text
    end))
end

local function judge_nodes(state)
    local list, counts = array(), count_blame(state)
    local usual = lists.map(state.groups, function(group)
        return node_state.usual(lists.map(group.members, function(member) return state.collection.nodes[member] end))
    end)
    for number, group in ipairs(state.groups) do
        for _, member in ipairs(group.members) do
            local node = state.collection.nodes[member]
            local entry = { host = node.host, node = member, group = number, outliers = array(), verdicts = array(),
                blame = own_blame(state, counts, number, node),
                state = array(node_state.changes(usual[group.largest], node.node)) }
            for metric = 1, #state.collection.metrics do
                judge_metric(state, entry, member, metric)
            end
            entry.differs = #entry.outliers > 0 or #entry.verdicts > 0
            list[#list + 1] = entry
        end
    end
    table.sort(list, lists.by(function(entry) return -#entry.outliers - #entry.verdicts end, "node"))
    return list
end

-- Compares medians of large groups with the largest group of the family: such a difference comes from the state, not from a node.
local function compare_groups(state)
    for number, group in ipairs(state.groups) do
        group.distance = array()
        if group.largest ~= number and group.reference == number then
            for metric = 1, #state.collection.metrics do
                local own, other = state.limits[number][metric], state.limits[group.largest][metric]
                if own and other and other.limit and math.abs(own.median - other.median) > other.limit then
                    table.insert(group.distance, { metric = metric, median = own.median, other = other.median })
                end
            end
        end
    end
end

-- Properties of a family: keys with one value in all nodes that differ and in few others.
local function separating(collection, family, keys)
    local differing, others = family.differing, family.others
    return lists.collect(keys, function(key)
        local value = value_of(collection.nodes[differing[1]], key)
        local function has_value(member)
            return value_of(collection.nodes[member], key) == value
        end
        local shared = lists.count(others, has_value)
        return lists.all(differing, has_value) and value ~= nil and shared <= FEW * #others and { family = family.family, key = key,
            value = tostring(value), of = #differing, others = shared, among = #others }
    end)
end

local function find_separations(state, list)
    local families = {}
    for _, entry in ipairs(list) do
        local name = state.groups[entry.group].family
        families[name] = families[name] or { family = name, differing = {}, others = {} }
        table.insert(families[name][entry.differs and "differing" or "others"], entry.node)
    end
    local keys = lists.joined(fleet.STATE, BESIDE)
    return array(lists.flat(lists.sorted(families), function(name)
        local family = families[name]
        return #family.differing > 0 and #family.others > 0 and separating(state.collection, family, keys)
    end))
end

local function unstable_of(state)
    local list = array(lists.collect(state.unstable_list, function(case)
        local others = lists.collect(vocabulary.VERDICTS, function(verdict)
            return case.hosts[verdict] and { verdict = verdict, hosts = array(stats.sorted(case.hosts[verdict])) }
        end)
        return { metric = case.metric, usual = case.usual, others = array(others) }
    end))
    table.sort(list, lists.by "metric")
    return list
end

local function groups_of(state)
    return array(lists.map(state.groups, function(group, number)
        local nodes = lists.map(group.members, function(member) return state.collection.nodes[member] end)
        local hosts = array(lists.map(nodes, "host"))
        return { name = group.name, family = group.family, count = #hosts, hosts = hosts, state = group.state,
            reference = group.reference, distance = group.distance,
            mixed = node_state.among(lists.map(nodes, function(node) return { label = node.host, node = node.node } end)),
            apart = group.reference ~= number and node_state.between(state.groups[group.reference].state, group.state) or nil }
    end))
end

function fleet.judge(argument)
    local collection = argument.collection
    local groups = make_groups(collection.nodes)
    choose_references(groups)
    local tests = count_tests(collection, groups)
    local state = { collection = collection, groups = groups, unstable = {}, unstable_list = {},
        usual = usual_verdicts(collection, groups) }
    state.limits = find_limits(collection, groups, argument.false_alarms, tests)
    local list = judge_nodes(state)
    compare_groups(state)
    local differ = lists.count(list, function(entry) return entry.differs end)
    return { groups = groups_of(state), limits = state.limits, nodes = list, differ = differ, unstable = unstable_of(state),
        separates = find_separations(state, list), tests = tests, false_alarms = argument.false_alarms }
end

-- "AVX operations of triad, S0:1 (avx_flops)": a metric's name in all outputs.
function fleet.metric_name(metric)
    local where = lists.join({ "code", "level", "placement" }, ", ", function(key) return metric[key] end)
    return ("%s of %s (%s)"):format(metric.metric or "?", where, metric.pattern or "?")
end

return fleet
