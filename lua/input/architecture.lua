-- architecture.lua - the entries of groups/ARCH/machine.lua, which describes a microarchitecture: their kinds, fields and consistency.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fields = require "input.fields"
local levels = require "model.levels"
local lists = require "input.lists"

local architecture = {}

local field, list = fields.field, fields.list
local TEXT, POSITIVE = fields.TEXT, fields.POSITIVE
local BOUNDARY = field("string", { match = "^L%d%-%w+$" })
local SCOPE = field("string", { one_of = { "core", "domain", "socket" } }) -- domain: cores that share a last-level cache
local VIRTUAL = field("number", { optional = true, positive = true }) -- tolerance_pct on a virtual node, which has no noise
local VERSION = field("string", { optional = true, match = "^%d+%.%d+%.?%d*$" })
local DIRECTIONS = { "load", "evict", "total" }

architecture.KINDS = {
    -- Without `processor` and `levels` nothing can simulate it: an architecture at native stage.
    machine = {
        arch = TEXT,
        title = TEXT,
        processor = field("table", { optional = true, entry = "processor" }),
        levels = list("level", { optional = true }),
        probe = field("table", { entry = "probe" }), -- an event that counts retired instructions: tests if the node counts at all
        counters = list "counters",
        traffic = list "traffic",
        parts = list("part", { optional = true, shown = true }),
        alike = list("string", { optional = true }), -- groups that groups/counts.lua describes: shared.lua
        counts = list("count", { optional = true, shown = true }),
        one_numa = list("string", { optional = true }), -- groups that are right only if each socket is one NUMA domain
        cannot = list("absent", { optional = true }), -- quantities without an event
        versions = list("version", { optional = true }), -- what only some versions of LIKWID can count (versions.lua)
        unjudged = list("unjudged", { optional = true }), -- metrics of its groups without a model (coverage.lua)
        mca = field("string", { optional = true, match = "^[%w-]+$" }), -- llvm-mca's name of the processor, for cycles in the core
        osaca = field("string", { optional = true, match = "^%w+$" }), -- OSACA's name of the processor
        libpfm4 = field("string", { optional = true, match = "^[%w_]+$" }), -- libpfm4's name of the processor, and so PAPI's
        evades = field("boolean", { optional = true }), -- stores may own lines that are not read from memory: model/traffic.lua
        divider_uops = field("table", { optional = true }), -- { bits128 =, bits256 = } micro-operations of a division or root
        divider_cycles = field("table", { optional = true }), -- { min =, value = of virtual nodes, max = } cycles of 128 bits of one
        filters = list("filter", { optional = true }), -- names of event filters, by their options
        errata = list("erratum", { may_be_empty = true }),
    },
    counters = {
        name = TEXT,
        count = POSITIVE,
        without_smt = field("number", { optional = true, positive = true }), -- count on a core that runs one hardware thread
        bits = POSITIVE, -- width
        boxes = field("number", { optional = true, positive = true }), -- per socket of the largest processor; of a node: boxes.lua
        -- Unit of the node to which boxes belong (default: the socket), and the number of boxes per unit.
        one_per = field("string", { optional = true, one_of = { "core", "slice", "domain", "numa", "channel", "hbm", "agent", "socket" } }),
        each = field("number", { optional = true, positive = true }),
        -- PCI devices of boxes 0, 1, .., where LIKWID looks for them: "12.1 8086:2f30", device.function and vendor:device in hexadecimal
        -- digits.
        devices = list("string", { optional = true }),
        only = field("table", { optional = true }), -- { EVENT = { counters that may count it } } for events restricted to certain counters
        fixed = field("boolean", { optional = true }),
        shared_by = field("string", { optional = true, one_of = { "domain", "socket" } }), -- default: core; boxes: socket
        shared_options = list("string", { optional = true }), -- options that set a register of the box
        event_options = list("string", { optional = true }), -- options that set a register of the event
        with = field("table", { optional = true }), -- { EVENT = event that must be counted with it }
    },
    -- A virtual node's launcher also reads these fields and checks their ranges (vnode/launch/arch.h).
    processor = {
        vendor = field("string", { one_of = { "GenuineIntel", "AuthenticAMD" } }),
        cpu = TEXT,
        signature = POSITIVE, -- CPUID leaf 1, EAX
        physical_bits = POSITIVE,
        without = list("string", { optional = true, may_be_empty = true }), -- feature names of vnode/launch/features.def that it lacks
        perfmon = field("table", { optional = true, entry = "perfmon" }),
        perfmon2 = field("table", { optional = true, entry = "perfmon2" }),
        page = POSITIVE,
        large_page = field("number", { optional = true, positive = true }), -- bytes; a virtual node gives it on madvise
        line = POSITIVE,
        clock_hz = POSITIVE,
        uncore_hz = POSITIVE,
        instructions_per_cycle_x4 = POSITIVE,
        branch_penalty = field "number",
        walk_latency = field "number",
        dtlb = field("table", { entry = "tlb" }),
        itlb = field("table", { entry = "tlb" }),
        stlb = field("table", { entry = "tlb" }),
        dtlb_large = field("table", { optional = true, entry = "tlb" }), -- for large pages only; without it they are in dtlb, too
        memory_bytes = POSITIVE, -- per NUMA domain, like channels and home agents
        channels = POSITIVE,
        hbm_channels = field("number", { optional = true, positive = true }), -- per socket, of processors that have such memory
        ranks = field("number", { optional = true, positive = true }), -- per channel; without it banks are not distinguished
        banks = field("number", { optional = true, positive = true }), -- per rank
        dram_row = field("number", { optional = true, positive = true }), -- bytes of a channel's lines in one row of a bank
        home_agents = field "number", -- 0: none
        memory_latency = field "number",
        remote_latency = field "number",
        links = field "number", -- per socket, to other sockets
        numa_domains = field("number", { optional = true, positive = true }), -- per socket; default 1
        default = field("boolean", { optional = true }), -- a virtual node without a name has this architecture
        pipeline = field("table", { optional = true, entry = "pipeline" }), -- of a virtual node whose file has `pipeline = true`
        shape = field("string", { match = "^%d+x%d+$" }), -- of a virtual node whose name states none
        sockets = list "number",
        max_cores = POSITIVE, -- per socket
        max_threads = field("number", { optional = true, positive = true }), -- hardware threads per core; default 1
    },
    probe = { counter = TEXT, event = TEXT },
    -- CPUID leaf 0xA; counters_smt: general counters of each of a core's two hardware threads, if that differs from `counters`
    perfmon = { version = POSITIVE, counters = POSITIVE, counters_smt = field("number", { optional = true, positive = true }),
        fixed = field "number", bits = POSITIVE },
    -- CPUID leaf 0x80000022: counters of a core, of a socket's data fabric and of a memory channel
    perfmon2 = { core = POSITIVE, fabric = POSITIVE, channel = field "number" },
    tlb = { entries = POSITIVE, ways = POSITIVE },
    -- The core's pipeline: instructions issued in a cycle, and under way; cycles that a division of integers, and one of numbers of up to
    -- 128 bits, keep the divider busy. latency: cycles of a load from L1, and of classes of instructions (vnode/sim/config.h). units:
    -- instructions of a kind that begin in a cycle.
    pipeline = { width = POSITIVE, window = POSITIVE, divide = POSITIVE, fp_divide = POSITIVE,
        latency = field("table", { entry = "latency" }), units = field("table", { entry = "units" }) },
    latency = { load = POSITIVE, alu = POSITIVE, multiply = POSITIVE, divide = POSITIVE, vector = POSITIVE, convert = POSITIVE,
        fp_add = POSITIVE, fp_multiply = POSITIVE, fp_fused = POSITIVE, fp_divide = POSITIVE },
    units = { load = POSITIVE, store = POSITIVE, branch = POSITIVE, compute = POSITIVE, multiply = POSITIVE, vector = POSITIVE,
        fp = POSITIVE, fp_add = POSITIVE, fp_multiply = POSITIVE },
    -- A level of the memory hierarchy. A victim level has no load_from and is the `victims_to` of the level above.
    level = {
        name = field("string", { match = "^L%d+I?$" }),
        kind = field("string", { optional = true, one_of = { "data", "instructions" } }),
        size = POSITIVE, -- of one slice
        slices = field("number", { optional = true, positive = true, or_word = "core" }), -- per cache; default 1
        ways = POSITIVE,
        latency = field "number", -- cycles above the first level's
        cores = field("number", { positive = true, or_word = "socket" }), -- most cores that share one
        load_from = field("string", { optional = true }),
        store_to = field("string", { optional = true }),
        victims_to = field("string", { optional = true }),
        write_allocate = field("boolean", { optional = true }),
        write_back = field("boolean", { optional = true }),
        inclusive = field("boolean", { optional = true }),
        protocol = field("string", { optional = true, one_of = { "MESIF", "MOESI" } }),
        directory = field("string", { optional = true, one_of = { "inclusive", "snoop_filter", "shadow_tags" } }),
        snoop_filter = field("table", { optional = true, entry = "snoop_filter" }),
    },
    snoop_filter = { entries = POSITIVE, ways = POSITIVE }, -- per slice
    -- Traffic across a boundary: { load =, evict =, total = } name metrics; `lacks` gives the reason for each direction without a metric.
    traffic = { boundary = BOUNDARY, group = TEXT, scope = SCOPE, tolerance_pct = POSITIVE, virtual_pct = VIRTUAL, reason = TEXT,
        volume = field "table", bandwidth = field("table", { optional = true }), lacks = field("table", { optional = true }) },
    -- A metric of part of a boundary's traffic; metric_of_box: the metric of each box that counts it ("%d": the box's number). `boxes`,
    -- `of_boxes`: the group counts only some of the boxes, which share the traffic evenly. `spare`: opportunistic, measured only if
    -- the boundary's other groups leave counters free.
    part = {
        boundary = BOUNDARY,
        direction = field("string", { one_of = { "load", "evict", "total", "data reads", "modified victims", "clean victims" } }),
        group = TEXT,
        scope = SCOPE,
        tolerance_pct = POSITIVE,
        virtual_pct = VIRTUAL,
        reason = TEXT,
        metric = TEXT,
        bandwidth = field("string", { optional = true }), -- the metric that shows it over the region's time
        metric_of_box = field("string", { optional = true, match = "^[^%%]*%%d[^%%]*$" }),
        boxes = field("number", { optional = true, positive = true }),
        of_boxes = field("number", { optional = true, positive = true }),
        spare = field("boolean", { optional = true }),
    },
    shown = { [fields.OPEN] = true }, -- fields that differ between the metrics of a part or count: shown.lua
    alike = { counts = list("count", { shown = true }), silicon = field("table", { entry = "silicon" }) }, -- groups/counts.lua
    -- Accuracy of counters of real hardware. error_pct: a right counter's published error, added to the error of measuring (virtual_pct).
    -- exact_pct: the largest amount that noise may add to the smallest detectable error of a validated metric.
    silicon = { error_pct = POSITIVE, exact_pct = POSITIVE, source = TEXT },
    count = {
        quantity = TEXT,
        group = TEXT,
        metric = TEXT,
        scope = SCOPE,
        tolerance_pct = POSITIVE,
        virtual_pct = VIRTUAL,
        reason = TEXT,
        code = field("table", { optional = true }), -- weights of a code's counts: { avx_calc = 1 }, see model/code.lua
        times = field("number", { optional = true, positive = true }), -- the metric is this many times the quantity: bytes of a line
        rate = field("boolean", { optional = true }), -- the metric shows the quantity over the region's time
        boxes = field("number", { optional = true, positive = true }), -- the group counts so many of `of_boxes`, as in a part
        of_boxes = field("number", { optional = true, positive = true }),
    },
    -- A quantity or boundary, and why no event of the architecture shows it; since, upto: only these versions of LIKWID.
    absent = { quantity = TEXT, reason = TEXT, since = VERSION, upto = VERSION },
    -- The first and the last version of LIKWID that can count what has these names: groups, events, counters ("UMC"), or the architecture.
    version = { names = list "string", since = VERSION, upto = VERSION },
    unjudged = { groups = list "string", metrics = list "string", reason = TEXT },
    filter = { options = TEXT, name = TEXT },
    erratum = { id = TEXT, events = list "string", about = TEXT, smt = field("boolean", { optional = true }) }, -- smt: only with it
}

-- A level's data must come from and go to the level below; a victim level takes evictions of the level above.
local function check_level(level, number, all, fail)
    local below, above = all[number + 1] and all[number + 1].name or "MEM", all[number - 1]
    for _, key in ipairs { "load_from", "store_to", "victims_to" } do
        if level[key] and level[key] ~= below then
            fail("level.%s of %s must be %s, the level below", key, level.name, below)
        end
    end
    if not level.store_to and not level.victims_to then
        fail("level %s must say where modified lines go: store_to or victims_to", level.name)
    elseif level.victims_to == "MEM" then
        fail("level %s gives victims to MEM, which is no cache; store_to names where modified lines go", level.name)
    elseif (above ~= nil and above.victims_to ~= nil) ~= levels.is_victim(level) then
        fail("level %s needs either load_from, or victims_to in the level above, not both", level.name)
    elseif levels.is_victim(level) and level.inclusive then
        fail("level %s is filled by victims and cannot be inclusive", level.name)
    elseif not levels.is_victim(level) and (level.write_allocate == nil or level.write_back == nil) then
        fail("level %s must say whether it allocates lines for stores and writes back: write_allocate, write_back", level.name)
    end
end

-- Each direction of traffic has either a metric or a reason why there is none.
local function check_directions(traffic, fail)
    for kind, named in pairs { volume = traffic.volume, bandwidth = traffic.bandwidth or {}, lacks = traffic.lacks or {} } do
        for direction, text in pairs(named) do
            if type(text) ~= "string" or not (direction == "load" or direction == "evict" or direction == "total") then
                fail("%s must be { load =, evict =, total = } with texts", kind)
            end
        end
    end
    for _, direction in ipairs(DIRECTIONS) do
        local metric, reason = traffic.volume[direction], (traffic.lacks or {})[direction]
        if not metric and not reason then
            fail("volume.%s must name a metric of %s, or lacks.%s say why there is none", direction, traffic.group, direction)
        elseif metric and reason then
            fail("volume.%s names a metric, and lacks.%s says that there is none", direction, direction)
        elseif reason and (traffic.bandwidth or {})[direction] then
            fail("bandwidth.%s names a metric, and lacks.%s says that there is none", direction, direction)
        elseif traffic.bandwidth and metric and not traffic.bandwidth[direction] then
            fail("bandwidth.%s must name a metric of %s", direction, traffic.group)
        end
    end
end

local function check_part(part, fail)
    local is_share = part.boxes ~= nil or part.of_boxes ~= nil
    if is_share and (part.metric_of_box or not part.boxes or not part.of_boxes or part.boxes >= part.of_boxes) then
        fail("a part needs both `boxes` and `of_boxes`, boxes < of_boxes, and no metric_of_box")
    end
end

local function check_only(box, fail)
    for event, allowed in pairs(box.only or {}) do
        local is_list = type(event) == "string" and type(allowed) == "table" and #allowed > 0
        for _, index in ipairs(is_list and allowed or {}) do
            is_list = is_list and math.type(index) == "integer" and index >= 0 and index < box.count
        end
        if not is_list then
            fail("counters.only of %s must be a list of its counters, 0 to %d", tostring(event), box.count - 1)
        end
    end
end

local DEVICE = "^%x%x%.%x %x%x%x%x:%x%x%x%x$"

local function check_devices(box, fail)
    local wrong = lists.find(box.devices or {}, function(device) return not device:find(DEVICE) end)
    if wrong or box.devices and #box.devices ~= box.boxes then
        fail("counters.devices must list a PCI device for each box, as in '12.1 8086:2f30'%s", wrong and ", not " .. wrong or "")
    end
end

-- Checks the codes of counts.
function architecture.check_counts(counts, fail_at)
    for _, count in ipairs(counts) do
        for event, weight in pairs(count.code or {}) do
            if type(event) ~= "string" or type(weight) ~= "number" then
                fail_at(count)("count.code must be { event = number, .. }")
            end
        end
    end
end

local function check_levels(machine, fail_at)
    local all = levels.of_data(machine)
    if #all == 0 then
        fail_at(machine)("machine.levels has no level that holds data")
    end
    for number, level in ipairs(all) do
        if level.name ~= "L" .. number then
            fail_at(level)("levels of data must be listed from L1 on; this is %s at place %d", level.name, number)
        end
    end
    for number, level in ipairs(all) do
        check_level(level, number, all, fail_at(level))
    end
end

-- Checks what kinds and fields alone do not express; `fail_at(entry)` fails at an entry's line.
function architecture.check(machine, fail_at)
    if machine.levels then
        check_levels(machine, fail_at)
    elseif machine.processor then
        fail_at(machine)("machine.processor is there to be simulated, which needs machine.levels, too")
    end
    for _, box in ipairs(machine.counters) do
        check_only(box, fail_at(box))
        check_devices(box, fail_at(box))
    end
    for _, traffic in ipairs(machine.traffic) do
        check_directions(traffic, fail_at(traffic))
    end
    for _, entries in ipairs { machine.parts or {}, machine.counts or {} } do
        for _, part in ipairs(entries) do
            check_part(part, fail_at(part))
        end
    end
    architecture.check_counts(machine.counts or {}, fail_at)
    local shown = lists.set(machine.counts or {}, "quantity")
    for _, absent in ipairs(machine.cannot or {}) do
        if shown[absent.quantity] then
            fail_at(absent)("quantity '%s' has a count, and `cannot` says that there is none", absent.quantity)
        end
    end
end

local OF_GROUPS = lists.set { "traffic", "cannot", "errata" }

-- The machine for models of patterns and probes: without its entries about groups, which are nine tenths of it. Each call of a model copies
-- the machine into the file's sandbox.
function architecture.of_models(machine)
    local described = {}
    for key, value in pairs(machine) do
        described[key] = not OF_GROUPS[key] and value or nil
    end
    described.processor = machine.processor or { page = levels.page(machine) }
    return described
end

return architecture
