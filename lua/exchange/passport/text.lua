-- text.lua - a group's passport as plain text, and its parts for the page. SPDX-License-Identifier: GPL-3.0-or-later
local catalogue_text = require "exchange.catalogue.text"
local lists = require "input.lists"
local report = require "report.text.report"

local text = {}

-- "CAS_COUNT_RD same, OTHER differs: counts another event".
local function events_text(metric)
    return lists.join(metric.events, ", ", function(one)
        return ("%s %s%s"):format(one.event, one.vendor, one.consequence and ": " .. one.consequence or "")
    end)
end

-- What a metric is for and counts, and why it has no verdict, one fact per line.
function text.about(metric)
    local lines = {}
    local shows = lists.map(lists.group(metric.quantities, "name"), function(same)
        return ("%s (%s)"):format(same[1].name, lists.join(same, ", ", "pattern"))
    end)
    lines[#lines + 1] = #shows > 0 and "shows: " .. table.concat(shows, "; ") or nil
    lines[#lines + 1] = #metric.events > 0 and "events, vendor check: " .. events_text(metric) or nil
    lines[#lines + 1] = metric.reason and "not judged: " .. metric.reason or #metric.judged == 0 and "not judged by a record" or nil
    return lines
end

-- A verdict, one fact per line, the first "validated (40 samples, tolerance 0.18 %)".
function text.verdict(found)
    local facts = catalogue_text.facts(found)
    facts[1] = facts[1]:sub(#facts[1]:match "^.-: " + 1)
    facts[#facts + 1] = found.reason and "  " .. found.reason or nil
    return facts
end

local function historical_text(one)
    local errors = one.error_pct
    return ("%s of %s on %s: %s%s; %s"):format(one.metric, one.group, one.node, one.verdicts, errors
        and (", errors %s to %s %%"):format(report.percent(errors.min), report.percent(errors.max)) or "", one.source)
end

local function finding_text(one)
    return ("%s:%d: %s: %s%s [%s]"):format(one.file, one.line, one.severity, one.what,
        one.consequence and ": " .. one.consequence or "", one.rule)
end

local function history_text(one)
    return ("%s: %s; %s; lint's rule: %s"):format(one.file, one.what, one.commit and "fixed by LIKWID's commit " .. one.commit
        or "not fixed in LIKWID's master of June 2026", one.rule or "none sees it")
end

-- What is known of the whole group -> array of { title =, lines =, none = instead of lines |nil: the part is left out }.
function text.parts(made, unlisted)
    local _, evidence = lists.group(made.evidence, "kind")
    local function seen(kind)
        return lists.map(evidence[kind] or {}, function(one) return (catalogue_text.evidence_line(one):gsub("^%- ", "")) end)
    end
    local function none(what)
        return made.owner == "assay" and what .. " of " .. made.arch or "Assay has no group of that name"
    end
    return {
        { title = "Blame", lines = made.blame },
        { title = "Lint, of this group and LIKWID's of that name" .. (unlisted and ", without LIKWID's event table" or ""),
            lines = lists.map(made.findings, finding_text), none = "no finding" },
        { title = "Silicon", lines = seen "native", none = none "no native record" },
        { title = "Virtual nodes, no evidence about silicon", lines = seen "virtual", none = none "no record" },
        { title = "Historical, published by others of LIKWID's group of that name",
            lines = lists.map(made.historical, historical_text) },
        { title = "History of faults, of LIKWID's group of that name and its events", lines = lists.map(made.history, history_text),
            none = "none known" },
        { title = "Errata of its events", lines = lists.map(made.errata, function(one) return one.id .. ": " .. one.about end),
            none = "none known" },
        { title = "Not counted by any group, of the same patterns", lines = lists.map(made.absent, function(one)
            return ("%s: %s"):format(one.pattern, one.reason)
        end) },
    }
end

-- "iMC volume [GBytes]".
function text.name(metric)
    return metric.name .. (metric.unit and " [" .. metric.unit .. "]" or "")
end

local function add_metric(lines, metric)
    lists.append(lines, { "", ("%s = %s"):format(text.name(metric), metric.formula) })
    local facts = text.about(metric)
    for _, found in ipairs(metric.judged) do
        local verdict = text.verdict(found)
        verdict[1] = found.kind .. ": " .. verdict[1]
        lists.append(facts, verdict)
    end
    lists.append(lines, facts, function(line) return "  " .. line end)
end

-- Passports as text.
function text.render(passports, unlisted)
    local lines = {}
    for i, made in ipairs(passports) do
        lines[#lines + 1] = i > 1 and "" or nil
        lines[#lines + 1] = ("%s of %s: %s"):format(made.group, made.title, made.short)
        lines[#lines + 1] = made.long
        for _, metric in ipairs(made.metrics) do
            add_metric(lines, metric)
        end
        for _, part in ipairs(text.parts(made, unlisted)) do
            local is_empty = #part.lines == 0
            if not is_empty or part.none then
                lists.append(lines, { "", part.title .. (is_empty and ": " .. part.none or "") })
                lists.append(lines, part.lines, function(line) return "- " .. line end)
            end
        end
    end
    return table.concat(lines, "\n") .. "\n"
end

return text
