-- fleet_synthetic.lua - collections as gather.h makes them, with noise that repeats.
local synthetic = {}

-- Functions that draw from distributions, the same for the same seed, whatever Lua's own generator is.
function synthetic.random(seed)
    local state = seed * 2654435761 % 2147483648
    local function uniform() -- Park and Miller's, between 0 and 1
        state = (state * 48271 + 11) % 2147483647
        return (state + 0.5) / 2147483647
    end
    local function normal()
        return math.sqrt(-2 * math.log(uniform())) * math.cos(2 * math.pi * uniform())
    end
    local function exponential()
        local size = -math.log(uniform())
        return uniform() < 0.5 and size or -size
    end
    return { uniform = uniform, normal = normal, exponential = exponential }
end

-- A node's entry. Fields of its `node` in addition to the usual ones are given.
function synthetic.node(host, values, verdicts, node)
    local own = { kind = "native", name = host, arch = "anyEP", cpu = "Any", sockets = 2, cores = 24, stepping = 4, microcode = "0x49",
        smt = 1, numa_per_socket = 1, likwid = "5.2.2", kernel = "usual" }
    for key, value in pairs(node or {}) do
        own[key] = value
    end
    return { host = host, node = own, assay = "0.1.0", started = "now", faults = {}, failures = 0, blame = {}, values = values,
        verdicts = verdicts or ("a"):rep(#values) }
end

function synthetic.metrics(count, tolerance)
    local list = {}
    for i = 1, count do
        list[i] = { pattern = "p", code = "c" .. i, placement = "S0:1", group = "G", metric = "M" .. i, tolerance_pct = tolerance or 0.1 }
    end
    return list
end

function synthetic.collection(nodes, count, tolerance)
    return { metrics = synthetic.metrics(count, tolerance), nodes = nodes, broken = {} }
end

return synthetic
