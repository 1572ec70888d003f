-- formula.lua - LIKWID's metric formulas: parsed once, then evaluated on raw counts.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Grammar: sums and products with parentheses and signs over numbers and names. A name is a counter as the group
-- file writes it, options included (CBOX0C1:STATE=0x1), or `time`, `inverseClock` and the like.
-- A name without a value makes the whole formula nil; it never counts as 0.
local formula = {}

-- Values that LIKWID itself provides.
formula.NO_COUNTERS = { time = true, inverseClock = true, num_numadomains = true }

local NUMBER = { "^(%d+%.?%d*[eE][+-]?%d+)()", "^(%.%d+[eE][+-]?%d+)()", "^(%d+%.?%d*)()", "^(%.%d+)()" }
local NAME = "^([%a_][%w_]*)()"
local OPTION = "^:[%a_][%w_]*()"
local OPTION_VALUE = "^=[%w_]+()"
local SUM, PRODUCT = { ["+"] = true, ["-"] = true }, { ["*"] = true, ["/"] = true }

local function fail(state, what)
    error(("formula '%s': %s at character %d"):format(state.text, what, state.at), 0)
end

-- The next character that is not blank, "" at the end.
local function next_char(state)
    state.at = state.text:match("^%s*()", state.at)
    return state.text:sub(state.at, state.at)
end

local function take_number(state)
    for _, pattern in ipairs(NUMBER) do
        local found, after = state.text:match(pattern, state.at)
        if found then
            state.at = after
            return { op = "number", value = tonumber(found) }
        end
    end
    return nil
end

local function take_name(state)
    local text, from = state.text, state.at
    local name, after = text:match(NAME, from)
    if not name then
        return nil
    end
    local option = text:match(OPTION, after)
    while option do
        after = text:match(OPTION_VALUE, option) or option
        option = text:match(OPTION, after)
    end
    name, state.at = text:sub(from, after - 1), after
    state.names[#state.names + 1] = name
    return { op = "name", name = name }
end

local parse_sum

local function parse_factor(state)
    local char = next_char(state)
    if SUM[char] then
        state.at = state.at + 1
        return { op = "sign", sign = char == "-" and -1 or 1, left = parse_factor(state) }
    elseif char == "(" then
        state.at = state.at + 1
        local inner = parse_sum(state)
        if next_char(state) ~= ")" then
            fail(state, "a ')' is missing")
        end
        state.at = state.at + 1
        return inner
    end
    return take_name(state) or take_number(state) or fail(state, "a number, a name or '(' is expected")
end

local function parse_chain(state, operand, operators)
    local left = operand(state)
    local op = next_char(state)
    while operators[op] do
        state.at = state.at + 1
        left = { op = op, left = left, right = operand(state) }
        op = next_char(state)
    end
    return left
end

local function parse_product(state)
    return parse_chain(state, parse_factor, PRODUCT)
end

function parse_sum(state)
    return parse_chain(state, parse_product, SUM)
end

local known = {} -- by text, because groups share most of their formulas

-- Returns { tree =, names = {..in order of appearance, with repetitions..} }, to be read only; raises one line on bad syntax.
function formula.parse(text)
    if known[text] then
        return known[text]
    end
    local state = { text = text, at = 1, names = {} }
    local tree = parse_sum(state)
    if state.at <= #text then
        fail(state, ("unexpected '%s'"):format(text:sub(state.at, state.at)))
    end
    known[text] = { tree = tree, names = state.names }
    return known[text]
end

local function prune(node, absent)
    if node.op == "number" or node.op == "name" then
        return not absent[node.name] and node or nil
    end
    local left = prune(node.left, absent)
    if node.op == "sign" then
        return left and { op = "sign", sign = node.sign, left = left }
    end
    local right = prune(node.right, absent)
    if left and right then
        return { op = node.op, left = left, right = right }
    elseif node.op == "+" then
        return left or right
    elseif node.op == "-" then
        return left or right and { op = "sign", sign = -1, left = right }
    end
    return nil
end

-- Appends the names in a tree to `names`, in order, and returns it.
function formula.add_names(node, names)
    if node then
        names[#names + 1] = node.name
        formula.add_names(node.left, names)
        formula.add_names(node.right, names)
    end
    return names
end

-- A parsed formula without the names in `absent` { [name] = true }, which do not exist on the node: a sum loses such a term; a
-- product with such a factor is removed. nil if nothing is left.
function formula.without(parsed, absent)
    local tree = prune(parsed.tree, absent)
    return tree and { tree = tree, names = formula.add_names(tree, {}) }
end

local RANK = { ["+"] = 1, ["-"] = 1, ["*"] = 2, ["/"] = 2 }

local function number_text(value)
    local short = ("%.15g"):format(value)
    return tonumber(short) == value and short or ("%.17g"):format(value)
end

-- The text of a parsed formula, with the parentheses that its order of operations needs.
function formula.text(parsed)
    local function write(node, least)
        if node.op == "number" then
            return number_text(node.value)
        elseif node.op == "name" then
            return node.name
        elseif node.op == "sign" then
            return ("(0%s%s)"):format(node.sign < 0 and "-" or "+", write(node.left, 2))
        end
        local rank = RANK[node.op]
        local text = write(node.left, rank) .. node.op .. write(node.right, rank + 1)
        return rank < least and "(" .. text .. ")" or text
    end
    return write(parsed.tree, 1)
end

-- "constant", "linear" in its names, or nil for neither.
local function shape_of(node)
    if node.op == "number" or node.op == "name" then
        return node.op == "number" and "constant" or "linear"
    end
    local left, right = shape_of(node.left), node.right and shape_of(node.right)
    if node.op == "sign" then
        return left
    elseif node.op == "*" and left == "constant" then
        return right
    elseif node.op == "*" or node.op == "/" then
        return right == "constant" and left or nil
    end
    return left == right and left or nil
end

-- Is the value of sums the sum of the values? True for `A - 2 * B`, false for a ratio or `A + 1`.
function formula.is_linear(parsed)
    return shape_of(parsed.tree) == "linear"
end

local APPLY = {
    ["+"] = function(a, b) return a + b end,
    ["-"] = function(a, b) return a - b end,
    ["*"] = function(a, b) return a * b end,
    ["/"] = function(a, b) return a / b end,
}

local function compute(node, values)
    if node.op == "number" then
        return node.value
    end
    if node.op == "name" then
        local value = values[node.name]
        return value, value == nil and node.name or nil
    end
    local left, absent = compute(node.left, values)
    if left == nil then
        return nil, absent
    end
    if node.op == "sign" then
        return node.sign * left
    end
    local right
    right, absent = compute(node.right, values)
    if right == nil then
        return nil, absent
    end
    return APPLY[node.op](left, right)
end

-- Evaluates a formula (text or parsed) on `values` { [name] = number }. Returns the number; or nil and the first name
-- without a value; or nil and "nan" if the result is not finite.
function formula.evaluate(what, values)
    local parsed = type(what) == "string" and formula.parse(what) or what
    local result, absent = compute(parsed.tree, values)
    if result == nil then
        return nil, absent
    end
    if result ~= result or result == math.huge or result == -math.huge then
        return nil, "nan"
    end
    return result
end

return formula
