-- page.lua - passports of one group, or of all groups of an architecture, as a self-contained page.
-- SPDX-License-Identifier: GPL-3.0-or-later
local frame = require "report.page.frame"
local html = require "report.page.html"
local lists = require "input.lists"
local text = require "exchange.passport.text"

local page = {}

local add, escape = html.add, html.escape

local function add_list(lines, list)
    html.add_list(lines, lists.map(list, function(line) return line:match "^%s*(.*)$" end))
end

local function add_metric(lines, metric)
    add(lines, "<h3>%s</h3><p><code>%s</code></p>", escape(text.name(metric)), escape(metric.formula))
    add_list(lines, text.about(metric))
    for _, found in ipairs(metric.judged) do
        local facts = text.verdict(found)
        add(lines, '<p>%s: <span class="badge %s">%s</span>%s</p>', found.kind, found.verdict, found.verdict,
            escape(facts[1]:sub(#found.verdict + 1)))
        add_list(lines, table.move(facts, 2, #facts, 1, {}))
    end
end

local function add_group(lines, made, unlisted)
    add(lines, '<section id="%s"><h2>%s: %s</h2>', escape(made.group), escape(made.group), escape(made.short))
    add(lines, "<p>%s</p>", escape(made.long or ""))
    for _, metric in ipairs(made.metrics) do
        add_metric(lines, metric)
    end
    for _, part in ipairs(text.parts(made, unlisted)) do
        if #part.lines > 0 or part.none then
            add(lines, "<h3>%s</h3>%s", escape(part.title), #part.lines == 0 and "<p>" .. escape(part.none) .. ".</p>" or "")
            add_list(lines, part.lines)
        end
    end
    lines[#lines + 1] = "</section>"
end

-- The page's text; `style`: of page.css.
function page.render(passports, style, unlisted)
    local lines, first = {}, passports[1]
    frame.begin(lines, ("Assay: groups of %s"):format(first.title), style)
    add(lines, "<header><h1>%s: what is known of %s</h1>", escape(first.title), #passports > 1 and "its groups" or escape(first.group))
    add(lines, '<p class="banner virtual">Each verdict says whether it is of <strong>native</strong> or <strong>virtual</strong> nodes. A '
        .. "virtual node is no evidence about silicon.</p>")
    add(lines, '<nav aria-label="Groups">%s</nav></header><main>', lists.join(passports, " ", function(made)
        return ('<a href="#%s">%s</a>'):format(escape(made.group), escape(made.group))
    end))
    for _, made in ipairs(passports) do
        add_group(lines, made, unlisted)
    end
    lines[#lines + 1] = "</main></body></html>"
    return table.concat(lines, "\n") .. "\n"
end

return page
