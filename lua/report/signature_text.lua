-- signature_text.lua - signatures as a table for people, and as plain JSON.
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local lists = require "input.lists"

local text = {}

-- "(loads + walks) / instructions" from the metrics' names; "largest / smallest of the threads' ..." for a spread.
function text.expression(terms, name_of)
    local sum = name_of(terms.quantity)
    if terms.plus then
        sum = ("(%s + %s)"):format(sum, name_of(terms.plus))
    end
    return terms.per and ("%s / %s"):format(sum, name_of(terms.per)) or sum
end

-- The side of the band on which the pattern is present, as an operator and a number.
function text.side(test)
    local is_above = test.present_is == "above"
    return is_above and ">=" or "<=", ("%.6g"):format(is_above and test.band.high or test.band.low)
end

function text.origin(one)
    return one.kind == "virtual" and ("virtual node %s, no evidence about silicon"):format(one.node) or ("native node %s"):format(one.node)
end

local function describe(test)
    local operator, limit = text.side(test)
    local expression = text.expression(test.terms, function(term) return term.metric end)
    local threads = test.domain.threads
    return ("%s%s %s %s%s%s"):format(test.spread and "largest / smallest of the threads' " or "", expression, operator, limit,
        test.domain.most and (", at most %g"):format(test.domain.most) or "",
        threads and ("; threads: %d to %d"):format(threads.min, threads.max) or "")
end

-- differs: how the records' nodes differ |nil.
function text.table(given, notes, node, differs)
    local lines = { text.origin { kind = node.kind, node = node.name }, differs }
    for _, one in ipairs(given) do
        for number, test in ipairs(one.tests) do
            lines[#lines + 1] = ("%s: %s"):format(number == 1 and one.pattern or (" "):rep(#one.pattern - 3) .. "and", describe(test))
        end
        local share = one.share
        lines[#lines + 1] = share and ("%s, share of the run time: %g .. %g * %s / (%s * %s)"):format(one.pattern, share.low, share.high,
            share.quantity.metric, share.cpi.metric, share.instructions.metric) or nil
    end
    return table.concat(lists.append(lines, notes), "\n") .. "\n"
end

local function plain_term(term)
    return term and { group = term.group, metric = term.metric, unit = term.unit, formula = term.formula } or nil
end

local function plain_share(share)
    return share and { quantity = plain_term(share.quantity), cpi = plain_term(share.cpi), instructions = plain_term(share.instructions),
        low = share.low, high = share.high, source = share.source } or nil
end

-- One file with all signatures: { signatures = array of { pattern =, title =, kind =, arch =, node =, evidence =, node_state = |nil,
-- share = { quantity =, cpi =, instructions =, low =, high =, source = } |nil,
-- tests = array of { quantity =, plus =, per =, spread =, present_is =, value =, band =, domain =, margin =, roc = } },
-- left_out = array of texts }.
function text.files(given, notes)
    local list = array(lists.map(given, function(one)
        local tests = array(lists.map(one.tests, function(test)
            return { quantity = plain_term(test.terms.quantity), plus = plain_term(test.terms.plus), per = plain_term(test.terms.per),
                spread = test.spread, present_is = test.present_is, value = test.value, band = test.band, domain = test.domain,
                margin = test.margin, roc = test.roc }
        end))
        return { pattern = one.pattern, title = one.title, kind = one.kind, arch = one.arch, node = one.node, evidence = one.evidence,
            node_state = one.node_state, share = plain_share(one.share), tests = tests }
    end))
    return array { { name = "signatures.json", value = { signatures = list, left_out = notes } } }
end

return text
