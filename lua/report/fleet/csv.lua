-- csv.lua - every value of a fleet in a row of its own: RFC 4180 with \n, an empty field is an absent value.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- csv.render{ collection =, found = } -> { text = }
local field = require "report.text.csv"
local vocabulary = require "judge.vocabulary"

local csv = {}

local COLUMNS = "host,group,pattern,code,level,placement,metric_group,metric,"
    .. "deviation_pct,peers,peers_median_pct,limit_pct,stands_out,verdict"

local function number(value)
    return value and ("%.10g"):format(value) or ""
end

-- What all rows of a metric begin with behind host and group.
local function metric_fields(metric)
    local parts = {}
    for i, key in ipairs(vocabulary.IDENTITY) do
        parts[i] = field.quoted(metric[key] or "")
    end
    return table.concat(parts, ",")
end

local function verdict_of(node, place)
    local letter = node.verdicts:sub(place, place)
    return letter ~= "" and letter ~= "-" and vocabulary.VERDICTS[letter:byte() - ("a"):byte() + 1] or ""
end

function csv.render(argument)
    local metrics, lines, names = argument.collection.metrics, { COLUMNS }, {}
    for i, metric in ipairs(metrics) do
        names[i] = metric_fields(metric)
    end
    local of_host = {}
    for _, entry in ipairs(argument.found.nodes) do
        of_host[entry.node] = entry
    end
    for i, node in ipairs(argument.collection.nodes) do
        local entry, out = of_host[i], {}
        for _, one in ipairs(entry.outliers) do
            out[one.metric] = true
        end
        local limit = argument.found.limits[argument.found.groups[entry.group].reference]
        local head = ("%s,%d"):format(field.quoted(node.host), entry.group)
        for place = 1, #metrics do
            local value, verdict, peers = node.values[place], verdict_of(node, place), limit[place] or {}
            if value or verdict ~= "" then
                lines[#lines + 1] = ("%s,%s,%s,%s,%s,%s,%s,%s"):format(head, names[place], number(value), number(peers.n),
                    number(peers.median), number(peers.limit), out[place] and "yes" or "no", verdict)
            end
        end
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return csv
