-- placement.lua - turns the placement words of pattern files into cores of a node.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   core     one core of the first socket                             S0:1
--   pair     the first two cores of the first last-level domain with two cores  S0:2, C1:2 where a socket has several
--   domain   all cores of the first last-level domain                 C0:N, where a socket has several
--   socket   all cores of the first socket                            S0:N
--   across   one core on each of two sockets                          S0:1@S1:1
-- One hardware thread a core. The first socket is the first one with usable CPUs. Names are LIKWID's affinity expressions: LIKWID also
-- counts sockets and domains without usable CPUs, so in a cpuset of the second socket its name is S1.
local array = require "input.array"
local boxes = require "plan.boxes"

local placement = {}

-- Why there is one socket only.
local function one_socket(node)
    return node.sockets > 1 and "the CPUs that may be used are on one socket, two are needed" or "the node has one socket, two are needed"
end

-- Text: `what` (a socket or a domain) has one core only.
local function has_one(what, node)
    return ("%s has one core%s"):format(what, #(node.left_out or {}) > 0 and " that may be used" or "")
end

-- "S0:2": `count` CPUs of the `index`-th socket that can be used.
local function on_socket(node, index, count)
    local number = node.socket_numbers and node.socket_numbers[index] or index - 1
    return { name = ("S%d:%d"):format(number, count), cpus = array { table.unpack(node.cpus_by_socket[index], 1, count) } }
end

-- The first two of a domain's CPUs; "C1:2", but "S0:2" if they are the first two of their socket.
local function pair_of(node, index)
    local cpus = array { table.unpack(node.cpus_by_domain[index], 1, 2) }
    for socket, all in ipairs(node.cpus_by_socket) do
        if all[1] == cpus[1] and all[2] == cpus[2] then
            return on_socket(node, socket, 2)
        end
    end
    return { name = ("C%d:2"):format(node.domain_numbers and node.domain_numbers[index] or index - 1), cpus = cpus }
end

local EXPAND = {
    core = function(node)
        return on_socket(node, 1, 1)
    end,
    pair = function(node)
        for index, cpus in ipairs(node.cpus_by_domain) do
            if #cpus > 1 then
                return pair_of(node, index)
            end
        end
        if #node.cpus_by_socket[1] < 2 then
            return nil, has_one("a socket", node) .. ", two are needed"
        end
        return nil, has_one("a last-level domain", node) .. ", two are needed"
    end,
    domain = function(node)
        local cpus = node.cpus_by_domain[1]
        if #cpus == #node.cpus_by_socket[1] then
            return nil -- it is then the socket
        elseif #cpus == 1 then
            return nil, has_one("a last-level domain", node) .. ": the same as " .. on_socket(node, 1, 1).name
        end
        local number = node.domain_numbers and node.domain_numbers[1] or 0
        return { name = ("C%d:%d"):format(number, #cpus), cpus = array { table.unpack(cpus) } }
    end,
    socket = function(node)
        local count = #node.cpus_by_socket[1]
        if count == 1 then
            return nil, has_one("a socket", node) .. ": the same as " .. on_socket(node, 1, 1).name
        end
        return on_socket(node, 1, count)
    end,
    across = function(node)
        if #node.cpus_by_socket < 2 then
            return nil, one_socket(node)
        elseif boxes.is_interleaved(node) then
            return nil, boxes.INTERLEAVED
        elseif node.separate then
            return nil, "LIKWID can measure each socket alone only: " .. node.separate
        end
        local here, there = on_socket(node, 1, 1), on_socket(node, 2, 1)
        return { name = here.name .. "@" .. there.name, cpus = array { here.cpus[1], there.cpus[1] } }
    end,
}

-- { word =, name =, cpus = in the threads' order }; or nil and the reason why the node has no such place; or nil alone if another
-- word names the same place.
function placement.expand(word, node)
    local found, reason = EXPAND[word](node)
    if found then
        found.word = word
    end
    return found, reason
end

local NAMES = { core = "^S%d+:1$", pair = "^[SC]%d+:2$", domain = "^C%d+:%d+$", socket = "^S%d+:%d+$", across = "^S%d+:1@S%d+:1$" }

-- May a place of that name ("S0:2") be meant by the word? Two cores of a socket or domain are a pair, and all of it if it has two.
function placement.is_called(name, word)
    return NAMES[word] ~= nil and name:find(NAMES[word]) ~= nil and (word ~= "socket" or not name:find ":1$")
end

-- Number of threads of a place: "S0:2" 2, "S0:1@S1:1" 2.
function placement.threads(name)
    local count = 0
    for number in name:gmatch ":(%d+)" do
        count = count + tonumber(number)
    end
    return count
end

return placement
