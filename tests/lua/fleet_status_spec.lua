-- The progress of a fleet's nodes (lua/fleet/status.lua), and the script that runs them (lua/fleet/plan.lua).
local fixture = require "tests.lua.fixture"
local fleet = require "fleet.plan"
local status = require "fleet.status"

local manifest = { id = "X", part = 1000, hosts = { "n1", "n2", "n3" } }

-- The state of n1, and the reason.
local function state(given)
    given.manifest, given.ends = manifest, given.ends or {}
    local found = status.judge(given)
    return found.hosts[1].state, found.hosts[1].why, found
end

local function queued(line)
    return { sent = true, queue = ("assay-X-0|0|%s\n"):format(line), nodes = "n1|idle|none\nn2|idle|none\n" }
end

describe("the status of a fleet", function()
    it("is the queue's state as long as the task is in the queue", function()
        local first, _, all = state(queued "RUNNING|None")
        assert.are.equal("running", first)
        assert.is_false(all.over)
        assert.are.equal("running", (state(queued "COMPLETING|None")))
        assert.are.same({ "pending", "Resources" }, { table.unpack({ state(queued "PENDING|Resources") }, 1, 2) })
    end)

    it("does not wait for a node that is down, drained or does not answer", function()
        for _, word in ipairs { "down*", "drained", "draining", "idle*", "fail", "maint", "DOWN" } do
            local given = queued "PENDING|ReqNodeNotAvail"
            given.nodes = ("n1|%s|broken fan\n"):format(word)
            local found, why, all = state(given)
            assert.are.equal("unavailable", found, word)
            assert.is_truthy(why:find("broken fan", 1, true))
            assert.is_true(all.over)
        end
    end)

    it("does not wait for tasks that are held until one of the first nodes counts", function()
        local given = queued "PENDING|JobHeldUser"
        assert.are.equal("pending", (state(given)))
        given.manifest = { id = "X", part = 1000, hosts = { "n1", "n2" }, first = 1 }
        given.ends = { n2 = "2 no counters" }
        local found = status.judge(given)
        assert.are.equal("held", found.hosts[1].state)
        assert.is_true(found.over)
        given.queue = "assay-X-0|0|PENDING|JobHeldAdmin\nassay-X-0|1|RUNNING|None\n"
        given.ends = {}
        assert.is_false(status.judge(given).over)
    end)

    it("is complete when no task runs or waits", function()
        local all = { sent = true, queue = "", nodes = "", ends = { n1 = "0 done", n2 = "2 no counters\n", n3 = "1 2 runs failed" },
            records = { "n1", "n3" } }
        local first, _, found = state(all)
        assert.are.equal("done", first)
        assert.is_true(found.over)
        assert.are.same({ done = 2, failed = 1 }, found.counts)
        assert.are.equal("3 nodes: 2 done, 1 failed", found.text)
        assert.are.equal("status 2: no counters", found.hosts[2].why)
        assert.are.equal("2 runs failed", found.hosts[3].why)
        local words = status.render({ status = found }).text
        assert.are.equal("3 nodes: 2 done, 1 failed\n  done         n3: 2 runs failed\n  failed       n2: status 2: no counters\n", words)
    end)

    it("counts an end without a record as a failure, and ignores another fleet's jobs", function()
        assert.are.equal("failed", (state { sent = true, queue = "", ends = { n1 = "0 done" } }))
        assert.are.equal("lost", (state { sent = true, queue = "assay-Y-0|0|RUNNING|None\n" }))
        assert.are.equal("lost", (state { sent = true, queue = "assay-X-1000|0|RUNNING|None\n" }))
    end)

    it("distinguishes tasks that began and vanished, that never began, and that were never submitted", function()
        assert.is_truthy(select(2, state { sent = true, queue = "", started = { "n1" } }):find("killed", 1, true))
        assert.is_truthy(select(2, state { sent = true, queue = "" }):find("cancelled", 1, true))
        assert.are.equal("unsent", (state { queue = "" }))
        -- without Slurm it is unknown whether the task still runs
        assert.are.equal("running", (state { started = { "n1" } }))
    end)

    it("trusts the task's end file more than an outdated queue; but a requeued task is running", function()
        local given = queued "COMPLETING|None"
        given.ends = { n1 = "2 no counters" }
        assert.are.equal("failed", (state(given)))
        given = queued "PENDING|BeginTime"
        given.ends = { n1 = "124 stopped" }
        assert.are.equal("pending", (state(given)))
    end)

    it("finds hosts of later arrays", function()
        local many = { id = "X", part = 2, hosts = { "a", "b", "c" } }
        local found = status.judge { manifest = many, ends = {}, sent = true, queue = "assay-X-2|0|RUNNING|None\n" }
        assert.are.equal("running", found.hosts[3].state)
        assert.are.equal("lost", found.hosts[1].state)
    end)
end)

describe("the script of a fleet", function()
    local template = fixture.text "lua/fleet/script.sh"

    local function script(more)
        local argument = { id = "X", dir = "/tmp/it's here", assay = "/opt/assay", node = "native", launcher = "slurm", patterns = { "p" },
            options = { "--quick" }, minutes = 7, first = 0, data = "/opt",
            hosts = { { host = "n1", options = "--node virtual" }, { host = "n2", options = "" } },
            manifest = "{}", script = template }
        for key, value in pairs(more or {}) do
            argument[key] = value
        end
        return fleet.script(argument).text
    end

    it("requests one whole node per task, and has a line for every host", function()
        local text = script { partition = "long" }
        for _, line in ipairs { "#SBATCH --exclusive", "#SBATCH --time=7", "#SBATCH --signal=B:TERM@60", "#SBATCH --partition=long",
            "n1 --node virtual", "n2 ", "dir='/tmp/it'\\''s here'", "broadcast='' prefix=''", "count=2 part=1000 pilots=0" } do
            assert.is_truthy(text:find("\n" .. line .. "\n", 1, true), line)
        end
        assert.is_nil(text:find "@%u+@")
    end)

    it("refuses words that a shell would interpret", function()
        for _, word in ipairs { "a b", "$(x)", "`x`", "a;b", "a'b", 'a"b', "*", "" } do
            assert.has_error(function() script { patterns = { word } } end)
            assert.has_error(function() fleet.hosts { hosts = { word } } end)
        end
    end)

    it("gives each host the options of all its lines, and lists each host once", function()
        local further = fleet.node_options { file = "f", text = "# all\nn2 --node virtual # one\n\nn2 --fault /f\n" }
        assert.are.same({ { host = "n1", options = "" }, { host = "n2", options = "--node virtual --fault /f" } },
            fleet.hosts { hosts = { "n1", "n2", "n1" }, node_options = further, file = "f" })
    end)

    it("contains the manifest, which has the hosts in order, the requested measurement, and nothing else", function()
        local made = fleet.make { id = "X", dir = "/tmp/f", assay = "/opt/assay", version = "1", data = "/opt", node = "native",
            launcher = "slurm", patterns = {}, options = { "--quick" }, minutes = 7, first = 0, hosts = { "n2", "n1" },
            cores = "n1 8\nn2 16\n", script = template, node_options = { file = "f", text = "n2 --fault /f\n" } }
        assert.are.same({ assay = "1", id = "X", part = 1000, node = "native", launcher = "slurm", patterns = {}, options = { "--quick" },
            minutes = 7, first = 0, hosts = { "n1", "n2" }, node_options = { n2 = "--fault /f" } }, made.manifest)
        assert.is_truthy(made.text:find('\n{"assay":"1","first":0,"hosts":["n1","n2"],"id":"X","launcher":"slurm","minutes":7,'
            .. '"node":"native","node_options":{"n2":"--fault /f"},"options":["--quick"],"part":1000,"patterns":[]}\n', 1, true))
        assert.is_truthy(made.text:find("\nn1 \nn2 --fault /f\n", 1, true))
    end)

    it("broadcasts the installed Assay to a local folder of each node", function()
        local text = script { broadcast = "/tmp", assay = "/opt/a/bin/assay", data = "/opt/a/share/assay" }
        assert.is_truthy(text:find("\nbroadcast='/tmp' prefix='/opt/a'\n", 1, true))
        assert.has_error(function() script { broadcast = "/tmp" } end,
            "--broadcast: this Assay is not installed; make install PREFIX=FOLDER, then FOLDER/bin/assay fleet run")
        assert.has_error(function() script { broadcast = "tmp", assay = "/opt/a/bin/assay", data = "/opt/a/share/assay" } end,
            "--broadcast tmp: a folder of the nodes' own is expected, from the root on, such as /tmp")
    end)

    it("begins with the smallest nodes, and sorts names by their numbers", function()
        local names = {}
        for i, entry in ipairs(fleet.hosts { hosts = { "n10", "n2", "big", "n1", "odd" }, cores = "big 128\nn10 8\nn2 8\nn1 16\n" }) do
            names[i] = entry.host
        end
        assert.are.same({ "n2", "n10", "n1", "big", "odd" }, names)
    end)

    it("names file and line of text that it cannot read", function()
        local function refusal(text)
            return select(2, pcall(fleet.node_options, { file = "f", text = text }))
        end
        assert.are.equal("f:2: n2 has no options; HOST OPTION..., for instance: n7 --node virtual", refusal "n1 --quick\nn2\n")
        assert.are.equal("f:2: $HOME: letters, digits and _ . / : = , + @ % [ ] - only", refusal "\nn1 $HOME\n")
        assert.has_error(function()
            fleet.hosts { hosts = { "n1" }, node_options = { { host = "n9", options = "--quick" } }, file = "f" }
        end, "f: n9 is none of the 1 nodes; name it with --nodes, or leave its line out")
    end)
end)
