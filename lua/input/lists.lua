-- lists.lua - functions on lists, sets and other tables.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- `what` is a function of a value and its index, or the name of a field of the values: lists.map(metrics, "unit").
local lists = {}

local function getter(what)
    return type(what) == "function" and what or function(value) return value[what] end
end

-- what() of each value, at the value's index.
function lists.map(list, what)
    local of, mapped = getter(what), {}
    for i, value in ipairs(list) do
        mapped[i] = of(value, i)
    end
    return mapped
end

-- Results of what() that are neither nil nor false, as a list.
function lists.collect(list, what)
    local of, found = getter(what), {}
    for i, value in ipairs(list) do
        found[#found + 1] = of(value, i) or nil
    end
    return found
end

-- The values for which what() is true.
function lists.filter(list, what)
    local of, found = getter(what), {}
    for i, value in ipairs(list) do
        if of(value, i) then
            found[#found + 1] = value
        end
    end
    return found
end

-- The first value for which what() is true; nil if there is none.
function lists.find(list, what)
    local of = getter(what)
    for i, value in ipairs(list) do
        if of(value, i) then
            return value
        end
    end
end

function lists.any(list, what)
    return lists.find(list, what) ~= nil
end

function lists.all(list, what)
    local of = getter(what)
    return not lists.any(list, function(value, i) return not of(value, i) end)
end

function lists.sum(list, what)
    local of, sum = getter(what), 0
    for i, value in ipairs(list) do
        sum = sum + of(value, i)
    end
    return sum
end

-- The largest what(), or `least` if none is larger.
function lists.most(list, least, what)
    for _, value in ipairs(lists.map(list, what)) do
        least = math.max(least, value)
    end
    return least
end

-- Results of what() that are neither nil nor false, joined to one text.
function lists.join(list, separator, what)
    return table.concat(lists.collect(list, what), separator)
end

-- A comparison for table.sort: ascending by the first `what` in which two values differ.
function lists.by(...)
    local keys = lists.map({ ... }, getter)
    return function(a, b)
        for _, of in ipairs(keys) do
            local left, right = of(a), of(b)
            if left ~= right then
                return left < right
            end
        end
        return false
    end
end

-- Number of values for which what() is true.
function lists.count(list, what)
    return #lists.filter(list, what)
end

-- { [what(value)] = value }: the last value of each key.
function lists.index(list, what)
    local of, index = getter(what), {}
    for i, value in ipairs(list) do
        index[of(value, i)] = value
    end
    return index
end

-- { [value] = true }, or { [what(value)] = true }
function lists.set(list, what)
    local set = {}
    for _, value in ipairs(what and lists.map(list, what) or list) do
        set[value] = true
    end
    return set
end

-- Position of each value in the list, or of what(value): { [value] = 1 .. }.
function lists.places(list, what)
    local places = {}
    for place, value in ipairs(what and lists.map(list, what) or list) do
        places[value] = place
    end
    return places
end

-- Appends to `list` (a new one by default) the values that it does not have yet, each once, in the order of their first appearance.
-- With `what` their what(), without nil and false. Returns the list.
function lists.distinct(values, list, what)
    list = list or {}
    local seen = lists.set(list)
    for _, value in ipairs(what and lists.collect(values, what) or values) do
        if not seen[value] then
            seen[value] = true
            list[#list + 1] = value
        end
    end
    return list
end

-- Does the list hold the value?
function lists.contains(list, wanted)
    return lists.any(list, function(value) return value == wanted end)
end

-- Appends another list's values, or their what() if neither nil nor false; returns the list.
function lists.append(list, more, what)
    more = what and lists.collect(more, what) or more
    return table.move(more, 1, #more, #list + 1, list)
end

-- Sets the entries of another table, if there is one. Returns the first table.
function lists.merge(into, from)
    for key, value in pairs(from or {}) do
        into[key] = value
    end
    return into
end

-- A copy of a table: a list, a set or an object. What its values hold is not copied.
function lists.copy(from)
    return lists.merge({}, from)
end

-- A copy of the list's first `count` values, or of all if it has fewer.
function lists.first(list, count)
    return table.move(list, 1, math.min(#list, count), 1, {})
end

-- The list in parts of `size` values; the last part may have fewer.
function lists.parts(list, size)
    local parts = {}
    for first = 1, #list, size do
        parts[#parts + 1] = table.move(list, first, math.min(#list, first + size - 1), 1, {})
    end
    return parts
end

-- A copy of the list, with the values of `more` |nil appended.
function lists.joined(list, more)
    return lists.append(lists.append({}, list), more or {})
end

-- The matches of a pattern in a text, in order; by default its words.
function lists.words(text, pattern)
    local words = {}
    for word in text:gmatch(pattern or "%S+") do
        words[#words + 1] = word
    end
    return words
end

-- The first value that no other one is_better() than; nil for an empty list.
function lists.best(list, is_better)
    local best = list[1]
    for _, value in ipairs(list) do
        best = is_better(value, best) and value or best
    end
    return best
end

-- Adds `factor` times the weights of `more` to those of `sum`, both { [name] = weight }; returns `sum`.
function lists.add_weights(sum, more, factor)
    for name, weight in pairs(more) do
        sum[name] = (sum[name] or 0) + factor * weight
    end
    return sum
end

-- Concatenates the lists in a list, or those that what() gives for its values; nil is skipped.
function lists.flat(list, what)
    local flat = {}
    for _, more in ipairs(what and lists.collect(list, what) or list) do
        lists.append(flat, more)
    end
    return flat
end

-- Appends a value to the list by_key[key], which is created if needed.
function lists.push(by_key, key, value)
    by_key[key] = by_key[key] or {}
    table.insert(by_key[key], value)
end

-- by_key[key]; if there is none, `new` is put there and appended to `order` |nil.
function lists.bin(by_key, key, new, order)
    if by_key[key] == nil then
        by_key[key] = new
        table.insert(order or {}, new)
    end
    return by_key[key]
end

-- Groups values by a key -> array of arrays, and { [key] = array }; both in the order of first appearance.
function lists.group(list, what)
    local of, groups, by_key = getter(what), {}, {}
    for i, value in ipairs(list) do
        local key = of(value, i)
        local same = by_key[key] or lists.bin(by_key, key, {}, groups)
        same[#same + 1] = value
    end
    return groups, by_key
end

-- The sorted keys of a table: ascending, or by comes_first (table.sort).
function lists.sorted(set, comes_first)
    local keys = {}
    for key in pairs(set) do
        keys[#keys + 1] = key
    end
    table.sort(keys, comes_first)
    return keys
end

return lists
