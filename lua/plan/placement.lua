-- placement.lua - turns the placement words of pattern files into cores of a node.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   core     one core of socket 0                                S0:1
--   pair     two cores of socket 0, of one last-level domain     S0:2
--   domain   all cores of the first last-level domain            C0:N, where a socket has several
--   socket   all cores of socket 0                               S0:N
--   across   one core on each of two sockets                     S0:1@S1:1
-- One hardware thread a core. Names are LIKWID's affinity expressions; sockets and domains without usable CPUs are not numbered.
local array = require "input.array"

local placement = {}

-- Why there is one socket only.
local function one_socket(node)
    return node.sockets > 1 and "the CPUs that may be used are on one socket, two are needed" or "the node has one socket, two are needed"
end

-- Text: `what` (a socket or a domain) has one core only.
local function has_one(what, node)
    return ("%s has one core%s"):format(what, #(node.left_out or {}) > 0 and " that may be used" or "")
end

local function on_socket(node, count)
    local cpus = node.cpus_by_socket[1]
    return { name = "S0:" .. count, cpus = array { table.unpack(cpus, 1, count) } }
end

local EXPAND = {
    core = function(node)
        return on_socket(node, 1)
    end,
    pair = function(node)
        if #node.cpus_by_socket[1] < 2 then
            return nil, has_one("a socket", node) .. ", two are needed"
        elseif #node.cpus_by_domain[1] < 2 then
            return nil, has_one("a last-level domain", node) .. ", two are needed"
        end
        return on_socket(node, 2)
    end,
    domain = function(node)
        local cpus = node.cpus_by_domain[1]
        if #cpus == #node.cpus_by_socket[1] then
            return nil -- it is then the socket
        elseif #cpus == 1 then
            return nil, has_one("a last-level domain", node) .. ": the same as S0:1"
        end
        return { name = "C0:" .. #cpus, cpus = array { table.unpack(cpus) } }
    end,
    socket = function(node)
        local count = #node.cpus_by_socket[1]
        if count == 1 then
            return nil, has_one("a socket", node) .. ": the same as S0:1"
        end
        return on_socket(node, count)
    end,
    across = function(node)
        local sockets = node.cpus_by_socket
        if #sockets < 2 then
            return nil, one_socket(node)
        end
        return { name = "S0:1@S1:1", cpus = array { sockets[1][1], sockets[2][1] } }
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

local NAMES = { core = "^S%d+:1$", pair = "^S%d+:2$", domain = "^C%d+:%d+$", socket = "^S%d+:%d+$", across = "^S%d+:1@S%d+:1$" }

-- May a place of that name ("S0:2") be meant by the word? Two cores of a socket are a pair, and the socket if it has two cores.
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
