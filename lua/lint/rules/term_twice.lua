-- term_twice.lua - the same counter twice in one sum. SPDX-License-Identifier: GPL-3.0-or-later
local function add_terms(node, terms)
    if node.op == "+" then
        add_terms(node.left, terms)
        add_terms(node.right, terms)
    elseif node.op == "name" then
        terms[node.name] = (terms[node.name] or 0) + 1
    end
end

-- Calls use(name) for each name that is twice in one chain of additions.
local function visit(node, above, use)
    if node.op == "+" and above ~= "+" then
        local terms = {}
        add_terms(node, terms)
        for name, count in pairs(terms) do
            if count > 1 then
                use(name)
            end
        end
    end
    for _, part in ipairs { node.left or false, node.right or false } do
        if part then
            visit(part, node.op, use)
        end
    end
end

return {
    name = "term-twice", class = "S8", severity = "error", about = "group",
    title = "a sum has the same counter twice",
    check = function(group, say)
        for _, metric in ipairs(group.metrics) do
            visit(metric.parsed.tree, nil, function(name)
                say(metric.line, ("metric '%s' adds %s twice"):format(metric.title, name),
                    "the event counts double, and another one probably not at all")
            end)
        end
    end,
}
