-- clustercockpit.lua - exports signatures as job classification rules of ClusterCockpit: one JSON file each, for var/tagger/jobclasses.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A rule: name, tag, parameters, metrics (of the job, each with .avg), requirements (over job), variables { name, expr }, rule, hint. The
-- names of our groups' metrics become identifiers. `assay`, which ClusterCockpit ignores, gives the group and metric of each
-- identifier, and the rule's origin. Averages over a whole job are compared with thresholds validated on regions. A share of the run time
-- is a rule of its own: events * cost / (CPI * instructions).
local array = require "input.array"
local identifier = require "exchange.identifier"
local lists = require "input.lists"
local text = require "report.signature_text"

local clustercockpit = {}

local function add_metric(rule, term)
    local name = identifier(term.metric)
    if not rule.assay.metrics[name] then
        rule.metrics[#rule.metrics + 1] = name
        rule.assay.metrics[name] = { group = term.group, metric = term.metric, unit = term.unit, formula = term.formula }
    end
    return name .. ".avg"
end

local function add_metrics(rule, terms)
    for _, key in ipairs { "quantity", "plus", "per" } do
        if terms[key] then
            add_metric(rule, terms[key])
        end
    end
end

local function add_requirement(rule, threads)
    if threads then
        rule.requirements[#rule.requirements + 1] = ("job.numCores >= %d && job.numCores <= %d"):format(threads.min, threads.max)
    end
end

local function empty_rule(one, suffix)
    return {
        name = ("%s (%s)"):format(one.title, text.origin(one)),
        tag = "assay_" .. identifier(one.pattern) .. suffix,
        parameters = array(),
        metrics = array(),
        requirements = array(),
        variables = array(),
        assay = { kind = one.kind, node = one.node, arch = one.arch, evidence = one.evidence, node_state = one.node_state,
            metrics = {} },
    }
end

local function rule_of(one)
    local rule = empty_rule(one, "")
    local conditions, hints = {}, {}
    for number, test in ipairs(one.tests) do
        local name, operator, limit = "test_" .. number, text.side(test)
        add_metrics(rule, test.terms)
        add_requirement(rule, test.domain.threads)
        local average = text.expression(test.terms, function(term) return identifier(term.metric) .. ".avg" end)
        rule.variables[number] = { name = name, expr = average }
        conditions[#conditions + 1] = ("%s %s %s"):format(name, operator, limit)
        conditions[#conditions + 1] = test.domain.most and ("%s <= %g"):format(name, test.domain.most) or nil
        local expression = text.expression(test.terms, function(term) return term.metric end)
        hints[#hints + 1] = ("%s is {{.%s}} (%s %s)"):format(expression, name, operator, limit)
    end
    rule.rule = table.concat(conditions, " && ")
    rule.hint = ("%s: %s. Threshold from %s."):format(one.title:gsub("[{}]", ""), table.concat(hints, ", "), text.origin(one))
    return rule
end

-- The rule of a share: the pattern is there if it takes at least that part of the run time.
local function share_rule_of(one)
    local rule, share = empty_rule(one, "_share"), one.share
    local events, cpi, instructions = add_metric(rule, share.quantity), add_metric(rule, share.cpi), add_metric(rule, share.instructions)
    for i, bound in ipairs { { "least", share.low }, { "most", share.high } } do
        rule.variables[i] = { name = bound[1], expr = ("%g * %s / (%s * %s)"):format(bound[2], events, cpi, instructions) }
    end
    rule.rule = ("least >= %g"):format(share.limit)
    rule.hint = ("%s: from {{.least}} to {{.most}} of the run time. Cycles of an event as documented: %s."):format(
        one.title:gsub("[{}]", ""), share.source)
    return rule
end

local function is_spread(one)
    return lists.any(one.tests, "spread")
end

-- given (signatures.lua) -> array of files; signatures that cannot be expressed are added to `notes`.
function clustercockpit.files(given, notes)
    local files = array()
    for _, one in ipairs(given) do
        if is_spread(one) then
            notes[#notes + 1] = ("%s: not given: a rule sees the job's average, not each thread"):format(one.pattern)
        end
        local rules = { #one.tests > 0 and not is_spread(one) and rule_of(one) or nil }
        rules[#rules + 1] = one.share and share_rule_of(one) or nil
        lists.append(files, rules, function(rule) return { name = rule.tag .. ".json", value = rule } end)
    end
    return files
end

return clustercockpit
