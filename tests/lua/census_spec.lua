-- census_spec.lua - which boxes a node has, from counts on all possible boxes.
-- SPDX-License-Identifier: GPL-3.0-or-later
local boxes = require "plan.boxes"
local census = require "plan.census"
local causes = require "report.text.causes"
local lists = require "input.lists"

local MBOX = { name = "MBOX", boxes = 4, count = 4 }
local machine = { counters = { { name = "PMC", count = 4 }, MBOX, { name = "CBOX", boxes = 2, count = 4 } } }
local groups = {
    B = { events = { { counter = "MBOX0C1", event = "WRITES", options = "" } } },
    A = { events = { { counter = "PMC0", event = "X", options = "" }, { counter = "MBOX2C0", event = "READS", options = "" },
        { counter = "CBOX1C0", event = "LOOKUP", options = "STATE=0x1" } } },
}

local NODE = { cpus_by_socket = { { 0, 1 }, { 2, 3 } } }

-- The first core of each socket with these counts; a text instead of a number is the reason for an absent count.
local function sockets(...)
    return lists.map({ ... }, function(given, index)
        local socket = { cpu = NODE.cpus_by_socket[index][1], counts = {}, absent = {} }
        for counter, count in pairs(given) do
            socket[type(count) == "number" and "counts" or "absent"][counter] = count
        end
        return socket
    end)
end

describe("the census", function()
    it("puts one event of a group on each possible box, and streams data of twice the last cache", function()
        local node = { caches = { { size_bytes = 1024 }, { size_bytes = 8192 } } }
        local plan = census.plan { machine = machine, groups = groups, node = node }
        assert.equal(2048, plan.elements)
        for number = 0, 3 do
            assert.truthy(plan.text:find(("\nMBOX%dC0 READS\n"):format(number), 1, true))
        end
        assert.truthy(plan.text:find("\nCBOX1C0:STATE=0x1 LOOKUP\n", 1, true))
        assert.is_nil(plan.text:find("WRITES", 1, true))
        assert.is_nil(plan.text:find("PMC", 1, true))
    end)

    it("plans nothing if the architecture has no boxes", function()
        assert.same({}, census.plan { machine = { counters = { { name = "PMC", count = 4 } } }, groups = groups, node = { caches = {} } })
    end)

    it("distinguishes boxes that are absent, silent, impossible and present; one socket with a box is enough", function()
        local found = census.judge { machine = machine, node = NODE, sockets = sockets(
            { MBOX0C0 = 1000, MBOX1C0 = 0, MBOX3C0 = 2.0 ^ 41, CBOX0C0 = 500, CBOX1C0 = 501 },
            { MBOX0C0 = 0, MBOX1C0 = 2 }
        ) }
        assert.same({ 0 }, found.boxes.MBOX)
        assert.same({ 0, 1 }, found.boxes.CBOX)
        assert.same({ "MBOX 2 absent" }, found.absent)
        assert.same({ "MBOX 1 ghost: silent while its siblings count", "MBOX 3 ghost: reads impossible values" }, found.ghosts)
        assert.is_nil(found.lacking) -- of either socket: the second one counts nothing
    end)

    it("names a box that exists on one socket only, with the other socket", function()
        local all = { MBOX0C0 = 70, MBOX1C0 = 70, MBOX2C0 = 71, MBOX3C0 = 72 }
        local texts = { dash = { "absent", "MBOX 2 absent on the socket of CPU %d" },
            wrapped = { "ghosts", "MBOX 2 ghost on the socket of CPU %d: reads impossible values" },
            [0] = { "ghosts", "MBOX 2 ghost on the socket of CPU %d: silent while its siblings count" } }
        for count, expected in pairs(texts) do
            local part = { MBOX0C0 = 70, MBOX1C0 = 70, MBOX2C0 = count, MBOX3C0 = 72 }
            for lacks, given in ipairs { { part, all }, { all, part } } do
                local found = census.judge { machine = machine, node = NODE, sockets = sockets(table.unpack(given)) }
                assert.same({ 0, 1, 2, 3 }, found.boxes.MBOX)
                assert.same({ "MBOX2" }, found.lacking[lacks])
                assert.same({}, found.lacking[3 - lacks])
                assert.same({ expected[2]:format(NODE.cpus_by_socket[lacks][1]) }, found[expected[1]])
                assert.equal(1, #found.absent + #found.ghosts)
            end
        end
    end)

    it("finds the boxes of a socket's NUMA clusters, each counted for another core", function()
        local cores = sockets({ MBOX0C0 = 70, MBOX1C0 = 0 }, { MBOX0C0 = 0, MBOX1C0 = 70 })
        cores[2].cpu = 1 -- of the first socket
        local found = census.judge { machine = machine, node = NODE, sockets = cores }
        assert.same({ { 0, 1 }, {} }, { found.boxes.MBOX, found.ghosts })
    end)

    it("leaves out channels that LIKWID shows as '-' (issue 234)", function()
        local found = census.judge { machine = machine, node = NODE,
            sockets = sockets { MBOX0C0 = 70, MBOX1C0 = 70, MBOX2C0 = "dash", MBOX3C0 = "dash" } }
        assert.same({ { 0, 1 }, { "MBOX 2, 3 absent" }, {} }, { found.boxes.MBOX, found.absent, found.ghosts })
    end)

    it("names ghosts that read 0 or 1.88e19 (issue 262), and leaves them out of sums", function()
        -- 1.88e19 is more than any counter holds: the reader of LIKWID's output calls it wrapped
        for count, reason in pairs { [0] = "silent while its siblings count", wrapped = "reads impossible values" } do
            local found = census.judge { machine = machine, node = NODE,
                sockets = sockets { MBOX0C0 = 70, MBOX1C0 = 71, MBOX2C0 = count, MBOX3C0 = 72 } }
            assert.same({ { 0, 1, 3 }, {} }, { found.boxes.MBOX, found.absent })
            assert.same({ "MBOX 2 ghost: " .. reason }, found.ghosts)
        end
    end)

    it("has a line for each ghost among a record's findings", function()
        local text = "MBOX 5 ghost: silent while its siblings count"
        assert.same({ "READS counts 2", text }, causes.texts { blame = { { text = "READS counts 2" } },
            findings = { { finding = "ghost", text = text } } })
    end)

    it("says nothing about a kind without any counting box", function()
        local counts = { MBOX0C0 = 5, MBOX1C0 = 5, MBOX2C0 = 5, MBOX3C0 = 5 }
        local found = census.judge { machine = machine, node = NODE, sockets = sockets(counts) }
        assert.is_nil(found.boxes.CBOX)
        assert.same({ {}, {} }, { found.absent, found.ghosts })
    end)

    it("decides which boxes remain in a group", function()
        local node = { boxes = { MBOX = { 0, 2 } } }
        local group = { name = "G", events = {}, metrics = { { name = "sum", formula = "MBOX0C0+MBOX1C0+MBOX2C0+MBOX3C0" },
            { name = "one", formula = "MBOX3C0" } } }
        for number = 0, 3 do
            group.events[number + 1] = { name = ("MBOX%dC0"):format(number), counter = ("MBOX%dC0"):format(number) }
        end
        local fitted = boxes.fit(group, machine, node)
        assert.same({ "MBOX0C0", "MBOX2C0" }, { fitted.events[1].name, fitted.events[2].name })
        assert.equal(1, #fitted.metrics)
        assert.equal("sum", fitted.metrics[1].name)
    end)
end)
