-- The text of a plan: jobs with their commands, in order, and what is skipped.
local fixture = require "fixture"
local plan = require "report.text.plan"

local function job(more)
    local made = { id = "p.S0:1.1", pattern = "p", placement = "S0:1", cpus = { 3 },
        points = { { code = "a" }, { code = "a" }, { code = "b" } },
        runs = { { name = "R1", events = { { event = "E", counter = "PMC0" } } }, { name = "R2", events = {} } } }
    for key, value in pairs(more or {}) do
        made[key] = value
    end
    return made
end

local function render(jobs, skipped)
    local commands = {}
    for _, one in ipairs(jobs) do
        for _, run in ipairs(one.runs) do
            commands[#commands + 1] = { job = one.id, run = run.name, command = "perfctr " .. one.id .. " " .. run.name }
        end
    end
    local plans = { { jobs = jobs, skipped = skipped or {} } }
    return plan.render { node = fixture.node(), machine = fixture.machine(), patterns = { { name = "p" } }, plans = plans, jobs = jobs,
        commands = commands, reps = 10 }.text
end

describe("the text of a plan", function()
    it("shows each command below its job and its run", function()
        local text = render { job() }
        assert.is_truthy(text:find("\np\n  job p.S0:1.1: S0:1, CPU 3; 3 regions of a, b\n", 1, true))
        assert.is_truthy(text:find("\n    R1 = E:PMC0\n      perfctr p.S0:1.1 R1\n", 1, true))
        assert.is_truthy(text:find("\n1 job with 2 runs, in this order; 10 repetitions: 20 commands. Nothing was measured.\n", 1, true))
    end)

    it("shows the number of repetitions of companion measurements", function()
        local text = render { job(), job { id = "p.S0:1.1.clean", clean = true, reps = 1 } }
        assert.is_truthy(text:find("\np, without the node's faults\n  job p.S0:1.1.clean", 1, true))
        assert.is_truthy(text:find "; 1 repetition only\n")
        assert.is_truthy(text:find("2 jobs with 4 runs, in this order; 10 repetitions: 22 commands.", 1, true))
    end)

    it("names what is skipped, once for each reason", function()
        local text = render({ job() }, { { pattern = "p", level = "L3", placement = "C0:2", reason = "why" }, { pattern = "p", code = "c",
            reason = "why" }, { pattern = "p", reason = "not at all" } })
        assert.is_truthy(text:find("\nskipped\n  p (L3 C0:2; c): why\n  p: not at all\n", 1, true))
        text = render({ job() }, { { pattern = "p", level = "L3", placement = "C0:2", quantity = "q", reason = "q: why" },
            { pattern = "p", level = "L3", placement = "C0:2", quantity = "q", reason = "q: why" } })
        assert.is_truthy(text:find("\n  p (L3 C0:2): q: why\n", 1, true))
    end)

    it("names a pattern without jobs and without a reason", function()
        assert.is_truthy(render({}):find("\n  p: none of its points has a model with these options\n", 1, true))
    end)

    it("writes CPUs as ranges, in the threads' order", function()
        assert.are.equal("0-3,8,4", plan.ranges { 0, 1, 2, 3, 8, 4 })
    end)
end)
