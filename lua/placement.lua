-- placement.lua - where threads sit: the words of pattern files, for one node.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   core     one core of socket 0                    S0:1
--   pair     two cores of socket 0                   S0:2
--   socket   all cores of socket 0                   S0:N
--   across   one core on each of two sockets         S0:1@S1:1
-- One hardware thread a core. Names are LIKWID's affinity expressions.
local array = require "array"

local placement = { WORDS = { "core", "pair", "socket", "across" } }

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
            return nil, "a socket has one core, two are needed"
        end
        return on_socket(node, 2)
    end,
    socket = function(node)
        local count = #node.cpus_by_socket[1]
        if count == 1 then
            return nil, "a socket has one core: the same as S0:1"
        end
        return on_socket(node, count)
    end,
    across = function(node)
        local sockets = node.cpus_by_socket
        if #sockets < 2 then
            return nil, "the node has one socket, two are needed"
        end
        return { name = "S0:1@S1:1", cpus = array { sockets[1][1], sockets[2][1] } }
    end,
}

-- { word =, name =, cpus = in the threads' order }, or nil and the reason why the node has no such place.
function placement.expand(word, node)
    local found, reason = EXPAND[word](node)
    if found then
        found.word = word
    end
    return found, reason
end

return placement
