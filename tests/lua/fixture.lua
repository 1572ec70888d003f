-- fixture.lua - the suite's own pattern, machine and groups, a node, and kernels, for the Lua tests.
-- SPDX-License-Identifier: GPL-3.0-or-later
local build = os.getenv "BUILD" or "build"
package.cpath = ("%s/sandbox/?.so;%s/solver/?.so;%s/tests/lua/?.so;%s"):format(build, build, build, package.cpath)
local group = require "input.group"
local schema = require "input.schema"

local fixture = {}

-- The text of a file; those of groups/ as they were built.
function fixture.text(path)
    local file = assert(io.open((path:gsub("^groups/", build .. "/groups/"))))
    local text = file:read "a"
    file:close()
    return text
end

-- The files of the built groups that match a shell pattern: "groups/*/machine.lua".
function fixture.group_files(pattern)
    local paths = {}
    for path in assert(io.popen(("cd %s && ls %s"):format(build, pattern))):lines() do
        paths[#paths + 1] = path
    end
    return paths
end

-- The architectures whose folders of the built groups have this file.
function fixture.architectures(file)
    local names = {}
    for _, path in ipairs(fixture.group_files("groups/*/" .. file)) do
        names[#names + 1] = path:match "groups/(.-)/"
    end
    return names
end

-- The element of a list with this name.
function fixture.named(list, name)
    for _, one in ipairs(list) do
        if one.name == name then
            return one
        end
    end
end

-- A pattern of the suite, by name.
function fixture.pattern(name)
    local path = ("patterns/%s.lua"):format(name or "bandwidth_saturation")
    return schema.pattern { text = fixture.text(path), file = path }
end

-- The file that architectures share, for schema.machine.
function fixture.shared()
    return { text = fixture.text "groups/counts.lua", file = "groups/counts.lua" }
end

-- The machine of groups/ARCH, haswellEP unless another is named; and the groups that it names.
function fixture.machine(arch)
    local path = ("groups/%s/machine.lua"):format(arch or "haswellEP")
    return schema.machine { text = fixture.text(path), file = path, shared = fixture.shared() }
end

function fixture.groups(arch)
    local groups = {}
    for _, entry in ipairs(fixture.machine(arch).traffic) do
        local path = ("groups/%s/%s.txt"):format(arch or "haswellEP", entry.group)
        groups[entry.group] = groups[entry.group] or group.parse { text = fixture.text(path), file = path }
    end
    return groups
end

function fixture.node()
    return {
        name = "haswellEP-1x2",
        kind = "virtual",
        arch = "haswellEP",
        sockets = 1,
        cores_per_socket = 2,
        cores = 2,
        smt = 1,
        line_bytes = 64,
        large_pages = true,
        openblas = true,
        caches = {
            { level = 1, size_bytes = 32768, ways = 8, shared_by_cores = 1 },
            { level = 2, size_bytes = 262144, ways = 8, shared_by_cores = 1 },
            { level = 3, size_bytes = 5242880, ways = 20, shared_by_cores = 2 },
        },
        cpus_by_socket = { { 0, 1 } },
        cpus_by_domain = { { 0, 1 } },
        numa_domains = 1,
    }
end

-- Of two sockets with a core each.
function fixture.two_sockets()
    local node = fixture.node()
    node.name, node.sockets, node.cores_per_socket, node.cpus_by_socket = "haswellEP-2x1", 2, 1, { { 0 }, { 1 } }
    node.cpus_by_domain, node.numa_domains = { { 0 }, { 1 } }, 2
    node.caches[3] = { level = 3, size_bytes = 2621440, ways = 20, shared_by_cores = 1 }
    return node
end

local LOAD, STORE, UPDATE, NT = { loads = true }, { stores = true }, { loads = true, stores = true }, { stores = true, nontemporal = true }
fixture.streams = {
    load = { LOAD },
    store = { STORE },
    copy = { LOAD, STORE },
    daxpy = { LOAD, UPDATE },
    ddot = { LOAD, LOAD },
    stream = { LOAD, LOAD, STORE },
    triad = { LOAD, LOAD, LOAD, STORE },
    store_nt = { NT },
    copy_nt = { LOAD, NT },
    stream_nt = { LOAD, LOAD, NT },
    triad_nt = { LOAD, LOAD, LOAD, NT },
}

-- 16 elements of 8 bytes a pass: four 32-byte accesses per stream.
function fixture.kernels()
    local kernels = {}
    for name, streams in pairs(fixture.streams) do
        local loads, stores = 0, 0
        for _, stream in ipairs(streams) do
            loads = loads + (stream.loads and 4 or 0)
            stores = stores + (stream.stores and 4 or 0)
        end
        kernels[name] = {
            name = name,
            elements_per_pass = 16,
            bytes_per_element = 8,
            streams = streams,
            own_lines = { read = 1, written = 1 },
            loads_per_pass = loads,
            stores_per_pass = stores,
        }
    end
    -- Four rows: multiplications and additions, with loads and stores of the sums around the loop.
    local none = { avx_calc = 0, fp_256_sp = 0, fp_256_dp = 0, flops = 0, loads = 4 }
    kernels["load_imbalance:multiply_tile"] = {
        name = "load_imbalance:multiply_tile",
        parts = { pass = { avx_calc = 8, fp_256_sp = 0, fp_256_dp = 8, flops = 32, loads = 5 }, constant = none },
    }
    -- A cell: compare, jump over a void cell, advance, compare, jump back; between the jumps the addition of a cell that is not void.
    kernels["control_flow:sum_filled"] = {
        name = "control_flow:sum_filled",
        parts = {
            pass = { branches = 2, instructions = 5 },
            guarded = { branches = 0, instructions = 1 },
            constant = { branches = 1, instructions = 3 },
            jumps_apart = 13,
        },
    }
    -- A step calls relax(), or relax() and meet(); a pass of meet()'s loop is a poll. Counts by hand, as a compiler might produce them.
    local function part(instructions, flops, accesses)
        return { instructions = instructions, flops = flops, loads = accesses, stores = accesses }
    end
    for name, parts in pairs {
        go_meeting = { constant = part(6, 0, 2), pass = part(9, 0, 2) },
        go_apart = { constant = part(5, 0, 2), pass = part(6, 0, 2) },
        relax = { constant = part(4, 0, 1), pass = part(7, 8, 1) },
        meet = { constant = part(2, 0, 1), pass = part(3, 0, 1) },
    } do
        kernels["synchronisation:" .. name] = { name = "synchronisation:" .. name, parts = parts }
    end
    -- A link.
    for _, pattern in ipairs { "latency_bound", "page_placement" } do
        local name = pattern .. ":ring_chase"
        kernels[name] = {
            name = name,
            parts = { pass = { loads = 1, instructions = 3 }, constant = { loads = 1, instructions = 1 } },
        }
    end
    -- A load.
    for _, name in ipairs { "split_loads:sum_avx", "split_loads:sum_sse", "split_loads:sum_scalar" } do
        kernels[name] = { name = name, parts = { pass = { loads = 1 }, constant = { loads = 1 } } }
    end
    -- A row calls one or both of these; a pass is a vector or a scalar.
    local function widths(instructions, scalars, vectors)
        return { instructions = instructions, flops = scalars + 4 * vectors, fp_scalar_dp = scalars, fp_256_dp = vectors, loads = 2,
            stores = 1 }
    end
    for name, parts in pairs {
        go_scalar = { constant = widths(8, 0, 0), pass = widths(7, 0, 0) },
        go_vector = { constant = widths(8, 0, 0), pass = widths(7, 0, 0) },
        go_remainders = { constant = widths(15, 0, 0), pass = widths(12, 0, 0) },
        add_vectors = { constant = widths(5, 0, 0), pass = widths(7, 0, 2) },
        add_scalars = { constant = widths(4, 0, 0), pass = widths(9, 2, 0) },
    } do
        kernels["ineffective_instructions:" .. name] = { name = "ineffective_instructions:" .. name, parts = parts }
    end
    -- Loops that multiply and add, over rows and over elements of a row, as a compiler might produce them; one adds up lanes.
    local function products(scalars, vectors, accesses)
        return { flops = scalars + 4 * vectors, fp_scalar_dp = scalars, fp_128_dp = 0, fp_256_dp = vectors, fp_256_sp = 0,
            avx_calc = vectors, loads = accesses, stores = 1 }
    end
    for name, parts in pairs {
        multiply_vector = { constant = products(0, 0, 6), pass = products(0, 0, 2) },
        multiply_matrix = { constant = products(0, 0, 6), pass = products(0, 0, 3) },
        multiply_row = { constant = products(0, 0, 5), pass = products(0, 0, 3) },
        dot_vectors = { constant = products(3, 0, 5), pass = products(0, 2, 2) },
        dot_scalars = { constant = products(0, 0, 0), pass = products(2, 0, 2) },
        add_vectors = { constant = products(0, 0, 1), pass = products(0, 2, 2) },
        add_scalars = { constant = products(0, 0, 1), pass = products(2, 0, 2) },
    } do
        kernels["arithmetic_intensity:" .. name] = { name = "arithmetic_intensity:" .. name, parts = parts }
    end
    -- Executions, rows, entries, and cells of five entries: by hand, as a compiler might produce them.
    local function entries(instructions, vectors)
        return { instructions = instructions, flops = 4 * vectors, avx_calc = vectors, loads = 1, stores = 1 }
    end
    for name, parts in pairs {
        repeat_csr = { constant = entries(20, 0), pass = entries(10, 0) },
        repeat_stencil = { constant = entries(12, 0), pass = entries(6, 0) },
        go_csr = { constant = entries(9, 0), pass = entries(13, 0) },
        go_stencil = { constant = entries(11, 0), pass = entries(16, 10) },
        multiply_row = { constant = entries(7, 0), pass = entries(8, 2) },
    } do
        kernels["sparse_indirection:" .. name] = { name = "sparse_indirection:" .. name, parts = parts }
    end
    -- A pair, a node, a key, and eight steps.
    for name, parts in pairs {
        ["store_forwarding:write_halves"] = { pass = { stores = 2, loads = 1, instructions = 7 }, constant = { instructions = 4 } },
        ["store_forwarding:write_whole"] = { pass = { stores = 1, loads = 1, instructions = 6 }, constant = { instructions = 4 } },
        ["store_forwarding:read_parts"] = { pass = { stores = 1, loads = 2, instructions = 7 }, constant = { instructions = 4 } },
        ["pipelining:go_chain"] = { pass = { loads = 0, stores = 0, instructions = 18, flops = 64, fp_256_dp = 16, avx_calc = 16 },
            constant = { instructions = 7, flops = 0, fp_256_dp = 0, avx_calc = 1 } },
        ["pipelining:go_side_by_side"] = { pass = { loads = 0, stores = 0, instructions = 18, flops = 64, fp_256_dp = 16, avx_calc = 16 },
            constant = { instructions = 50, flops = 42, fp_256_dp = 7, avx_calc = 15 } },
        ["pipelining:go_divide"] = { pass = { loads = 0, stores = 0, instructions = 26, flops = 0, divides = 8 },
            constant = { instructions = 3, divides = 0 } },
        ["alu_saturation:go_registers"] = { pass = { loads = 0, stores = 0, instructions = 14, flops = 48, avx_calc = 12 },
            constant = { instructions = 30, flops = 41, avx_calc = 10 } },
        ["alu_saturation:go_from_l2"] = { pass = { loads = 12, stores = 0, instructions = 21, flops = 48, avx_calc = 12 },
            constant = { instructions = 32, flops = 41, avx_calc = 10 } },
        ["atomic_updates:count_shared"] = { pass = { stores = 1, loads = 2, instructions = 5 }, constant = { instructions = 1 } },
        ["atomic_updates:count_own"] = { pass = { stores = 1, loads = 2, instructions = 5 }, constant = { instructions = 2 } },
        ["address_aliasing:follow"] = { pass = { stores = 1, loads = 1, instructions = 6 }, constant = { instructions = 3 } },
    } do
        kernels[name] = { name = name, parts = parts }
    end
    -- Four parts in a pass of 16 elements.
    local function transitions(instructions, count)
        return { instructions = instructions, avx_to_sse = count, sse_to_avx = count }
    end
    for name, pass in pairs {
        mixed_vectors = transitions(23, 4), cleared_vectors = transitions(27, 0), vex_vectors = transitions(23, 0),
    } do
        kernels[name] = { name = name, elements_per_pass = 16, bytes_per_element = 8, streams = fixture.streams.stream,
            loads_per_pass = 8, stores_per_pass = 4,
            parts = { pass = pass, constant = transitions(19, 0), sweep = transitions(9, 0), once = transitions(13, 0) } }
    end
    return kernels
end

-- The plan of a pattern: the name of a pattern of the suite, or the result of fixture.pattern(). `of`:
-- arch, machine, node, kernels and options where they are not the usual ones.
function fixture.planned(name, of)
    of = of or {}
    return require("plan.plan").make({
        patterns = { type(name) == "table" and name or fixture.pattern(name) },
        machine = of.machine or fixture.machine(of.arch),
        node = of.node or fixture.node(),
        kernels = of.kernels or fixture.kernels(),
        groups = fixture.groups(of.arch),
        options = of.options or {},
    })[1]
end

function fixture.plan(options, node)
    return fixture.planned(nil, { options = options, node = node })
end

-- The points of a plan by their arguments, and what is expected of each.
function fixture.points(planned)
    local found = {}
    for _, job in ipairs(planned.jobs) do
        for _, point in ipairs(job.points) do
            found[table.concat(point.arguments, " ")] = point
        end
    end
    return found
end

function fixture.expected(planned)
    local found = {}
    for arguments, point in pairs(fixture.points(planned)) do
        found[arguments] = point.expected
    end
    return found
end

return fixture
