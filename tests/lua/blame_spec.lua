-- blame_spec.lua - one line names what is wrong: constants, boxes, swaps, two at once, exceptions, noise, absences, and formulas.
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture" -- where the modules in C are
local absent = require "judge.blame.absent"
local blame = require "judge.blame"
local blamed = require "blamed"
local group_file = require "input.group"
local hypotheses = require "judge.blame.hypotheses"
local lists = require "input.lists"
local synthetic = require "synthetic"

local CORE = { "ASSAY_L2", "ASSAY_L3", "ASSAY_AVX" }
local SOCKET = { "ASSAY_MEM", "ASSAY_HA", "ASSAY_CBOX" }

-- A fault of one event, everywhere or on counters that match.
local function on(event, change, counter)
    return function(count, name, where, at, truth)
        if name == event and (not counter or where:match(counter)) then
            return change(count, at, truth)
        end
        return count
    end
end

local function lines(argument)
    local texts, found = {}, blame.find(blamed.make(argument))
    for i, entry in ipairs(found) do
        texts[i] = entry.text
    end
    return texts, found
end

-- The one part that is to blame.
local function only(argument)
    local _, found = lines(argument)
    assert.equal(1, #found, table.concat(lines(argument), "\n"))
    assert.equal(1, #found[1].causes, found[1].text)
    assert.equal(1, #found[1].causes[1], found[1].text)
    return found[1].causes[1][1], found[1]
end

local function contains(interval, value)
    return interval[1] <= value and value <= interval[2]
end

describe("blame of clean campaigns", function()
    it("is empty, whatever the widths of intervals and the true values in them", function()
        for seed = 1, synthetic.cases(4, 12) do
            local argument = { groups = seed % 2 == 0 and CORE or SOCKET, seed = seed, width = (seed % 3) * 0.2 }
            local share = (seed % 5 - 2) / 2 * argument.width / 100 * 0.9
            argument.faults = { function(count) return count * (1 + share) end }
            assert.same({}, (lines(argument)))
        end
    end)
end)

describe("blame of an event", function()
    it("gives its factor, from just above the tolerance to a hundred, and an interval that contains it", function()
        for seed = 1, synthetic.cases(6, 24) do
            local random = synthetic.random(seed)
            local factor = random.pick { random.ratio(1.012, 1.1), random.ratio(0.9, 0.988), random.ratio(1.1, 100),
                random.ratio(0.01, 0.9) }
            local group = random.pick(CORE)
            local event = ({ ASSAY_L2 = "L1D_REPLACEMENT", ASSAY_L3 = "L2_TRANS_L2_WB", ASSAY_AVX = "AVX_INSTS_CALC" })[group]
            local part, entry = only { groups = CORE, seed = seed, width = 0.1,
                faults = { on(event, function(count) return factor * count end) } }
            assert.same({ "event", event }, { part.kind, part.event })
            assert.is_true(contains(part.factor_ci, factor))
            assert.is_true(math.abs(part.factor / factor - 1) < 0.01, part.text)
            assert.same({ group }, entry.groups)
        end
    end)

    it("gives its offset, or both constants if both are wrong", function()
        local part = only { groups = CORE, faults = { on("L2_LINES_IN_ALL", function(count) return count + 50000 end) } }
        assert.is_nil(part.factor_ci)
        assert.is_true(contains(part.offset_ci, 50000))
        assert.near(50000, part.offset, 500)
        part = only { groups = CORE, faults = { on("L2_LINES_IN_ALL", function(count) return 1.3 * count + 50000 end) } }
        assert.is_true(contains(part.offset_ci, 50000) and contains(part.factor_ci, 1.3))
        assert.near(1.3, part.factor, 0.013)
    end)

    it("recognises an offset, because it cancels in the difference of two regions", function()
        local part, entry = only { groups = CORE, points = 1, difference = true,
            faults = { on("L2_LINES_IN_ALL", function(count) return count + 20000 end) } }
        assert.is_nil(part.factor_ci)
        assert.near(20000, part.offset, 200)
        assert.same({ "ASSAY_L3" }, entry.groups)
        part = only { groups = CORE, points = 1, difference = true,
            faults = { on("L2_LINES_IN_ALL", function(count) return 1.2 * count + 20000 end) } }
        assert.near(1.2, part.factor, 0.012)
        assert.near(20000, part.offset, 1000)
    end)

    it("prints one line with the number of metrics that follow", function()
        local texts = lines { groups = CORE, tolerance = 0.1, faults = { on("L1D_REPLACEMENT", function(count) return 1.37 * count end) } }
        assert.same({ "L1D_REPLACEMENT counts 1.370 (1.369 .. 1.371) times: 20 metrics of ASSAY_L2 follow" }, texts)
    end)

    it("shows the deviation of a small factor", function()
        local fault = on("L1D_REPLACEMENT", function(count) return 1.00041 * count end)
        local texts = lines { groups = CORE, tolerance = 0.01, faults = { fault } }
        assert.matches("^L1D_REPLACEMENT counts 1%.0004%d? %(1%.000%d+ %.%. 1%.000%d+%) times", texts[1])
    end)

    it("names an event that counts nothing", function()
        assert.equal("silent", only({ groups = CORE, faults = { on("L1D_REPLACEMENT", function() return 0 end) } }).kind)
    end)

    it("finds no constants for noise between repetitions, and for saturation", function()
        local random = synthetic.random(7)
        local noisy = only { groups = CORE, reps = 3,
            faults = { on("L1D_REPLACEMENT", function(n) return n * random.between(0.7, 1.3) end) } }
        assert.same({ "unsteady", "L1D_REPLACEMENT" }, { noisy.kind, noisy.event })
        assert.is_true(noisy.range[1] < 0.95 and noisy.range[2] > 1.05)
        local full = only { groups = CORE, faults = { on("L2_LINES_IN_ALL", function(count) return math.min(count, 200000) end) } }
        assert.same({ "unsteady", "L2_LINES_IN_ALL" }, { full.kind, full.event })
    end)

    it("finds no constants if an event that is only in a quotient saturates in some codes: not one exception per code", function()
        local codes = {}
        for i = 1, 13 do
            codes[i] = "code" .. i
        end
        for seed = 1, synthetic.cases(1, 6) do
            local _, found = lines { arch = "zen3", groups = { "ASSAY_FLOPS" }, codes = codes, points = 2, seed = seed, tolerance = 0.1,
                judged = function(metric) return metric == "CPI" end,
                faults = { on("CPU_CLOCKS_UNHALTED", function(count) return math.min(count, 900000) end) } }
            assert.equal(1, #found)
            local kinds = {}
            for _, cause in ipairs(found[1].causes) do
                assert.equal(1, #cause, found[1].text)
                kinds[cause[1].event or cause[1].metric] = cause[1].kind
            end
            assert.same({ CPI = "formula", CPU_CLOCKS_UNHALTED = "unsteady", RETIRED_INSTRUCTIONS = "unsteady" }, kinds)
        end
    end)

    it("finds no constants, although another event with equal counts would make every formula right", function()
        local random = synthetic.random(5)
        local event, copy = "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM", "OFFCORE_RESPONSE_0_OPTIONS"
        local noisy = only { groups = { "ASSAY_SHARING" }, alike = { [copy] = event },
            faults = { on(event, function(n) return n * random.between(0.7, 1.3) end) } }
        assert.same({ "unsteady", event }, { noisy.kind, noisy.event })
        local scaled = only { groups = { "ASSAY_SHARING" }, alike = { [copy] = event },
            faults = { on(event, function(n) return 1.3 * n + 40000 end) } }
        assert.same({ "event", event }, { scaled.kind, scaled.event })
    end)

    it("finds no constants, although another event with equal counts is in no judged metric", function()
        local random = synthetic.random(5)
        local event, copy = "L2_LINES_OUT_NON_SILENT", "IDI_MISC_WB_UPGRADE"
        local function made(change)
            return { arch = "skylakeX", groups = { "ASSAY_L2_OUT" }, alike = { [copy] = event }, faults = { on(event, change) },
                judged = function(metric) return not metric:find "kept by L3" end }
        end
        local noisy = only(made(function(n) return n * random.between(0.7, 1.3) end))
        assert.same({ "unsteady", event }, { noisy.kind, noisy.event })
        local scaled = only(made(function(n) return 1.3 * n end))
        assert.same({ "event", event }, { scaled.kind, scaled.event })
    end)

    it("does not say that it counts nothing, in regions where 0 is right", function()
        local lost = { arch = "skylakeX", groups = { "ASSAY_FLOPS_SP" }, points = 4,
            none = { FP_ARITH_INST_RETIRED_SCALAR_SINGLE = true, FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE = true,
                FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE = true },
            judged = function(metric) return not metric:find "%-bit" and not metric:find "Scalar" end,
            faults = { on("FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE", function(n, at) return at.point:find "[24]$" and 0 or n end) } }
        local texts = lines(lost)
        for _, text in ipairs(texts) do
            assert.is_nil(text:find "512B_PACKED_SINGLE counts nothing", text)
        end
        assert.is_true(#texts > 0)
    end)

    it("finds no constants if half of the codes would be exceptions", function()
        local part = only { groups = { "ASSAY_SPLIT" }, codes = { "load", "copy", "triad", "stream" }, points = 4,
            faults = { on("MEM_UOPS_RETIRED_LOADS_SPLIT", function(n, at)
                return (at.code == "load" or at.code == "copy") and 1.3 * n or n
            end) } }
        assert.same({ "unsteady", "MEM_UOPS_RETIRED_LOADS_SPLIT" }, { part.kind, part.event })
    end)

    it("also lists a formula with the wrong event, if nothing distinguishes the two", function()
        local _, found = lines { groups = { "ASSAY_BLOCKS" }, codes = { "load" }, points = 4,
            mutate = { ASSAY_BLOCKS = function(text) return (text:gsub("(Loads not forwarded) PMC0\n", "%1 PMC1\n")) end },
            judged = function(metric) return metric == "Loads not forwarded" end }
        local kinds = lists.map(found[1].causes, function(cause) return cause[1].kind end)
        assert.same({ "event", "formula" }, kinds)
    end)

    it("finds no constants in one code: the event or its only metric is wrong there", function()
        local random = synthetic.random(5)
        local event = "MEM_UOPS_RETIRED_LOADS_SPLIT"
        local function noise(n, at) return at.code == "copy" and n * random.between(0.7, 1.3) or n end
        local texts, found = lines { groups = { "ASSAY_SPLIT" }, faults = { on(event, noise) } }
        assert.equal(1, #found, table.concat(texts, "\n"))
        local kinds = {}
        for i, cause in ipairs(found[1].causes) do
            kinds[i] = ("%d %s %s"):format(#cause, cause[1].kind, cause[1].code)
        end
        assert.same({ "1 claim copy", "1 unsteady code copy" }, kinds)
    end)

    it("does not name an event that may be right, for an offset in one code's only region", function()
        local event = "AVX_INSTS_CALC"
        local texts, found = lines { groups = CORE, points = 1,
            faults = { on(event, function(n, at) return at.code == "copy" and 0 or n end) } }
        assert.equal(1, #found, table.concat(texts, "\n"))
        for _, cause in ipairs(found[1].causes) do
            for _, part in ipairs(cause) do
                assert.is_false(part.kind == "event", texts[1])
            end
        end
    end)

    it("gives only a factor, although a quotient by the event is off by most of the tolerance in one code", function()
        for _, factor in ipairs { 0.2, 0.6, 3 } do
            local part = only { groups = { "ASSAY_AVX" }, faults = { on("INSTR_RETIRED_ANY", function(n) return factor * n end),
                on("CPU_CLK_UNHALTED_CORE", function(n, at) return at.code == "copy" and 1.0045 * n or n end) } }
            assert.same({ "event", "INSTR_RETIRED_ANY", 0 }, { part.kind, part.event, part.offset or 0 })
            assert.near(factor, part.factor, 0.01 * factor)
        end
    end)

    it("never makes half of the codes exceptions, neither of the event nor of its metric", function()
        local event, factors = "MEM_UOPS_RETIRED_LOADS_SPLIT", { load = 1, copy = 1.2, triad = 1.45, stream = 1.1, ddot = 1 }
        local function change(n, at) return n * factors[at.code] end
        for _, codes in ipairs { { "load", "copy", "triad" }, { "load", "copy", "triad", "stream", "ddot" } } do
            local texts, found = lines { groups = { "ASSAY_SPLIT" }, codes = codes, faults = { on(event, change) } }
            assert.equal(1, #found, table.concat(texts, "\n"))
            for _, cause in ipairs(found[1].causes) do
                assert.is_truthy(cause[1].kind == "unsteady" or cause[1].kind == "formula", texts[1])
            end
        end
    end)

    it("makes one code an exception, relative to the factor in the other codes", function()
        local function half(count, at) return at.code == "copy" and 1.5 * count or count end
        local part = only { groups = CORE, faults = { on("AVX_INSTS_CALC", half) } }
        assert.same({ "code", "copy" }, { part.kind, part.code })
        assert.near(1.5, part.factor, 0.01)
        local texts, found = lines { groups = CORE, faults = { on("AVX_INSTS_CALC", function(n, at) return 1.05 * half(n, at) end) } }
        assert.equal(2, #found, table.concat(texts, "\n"))
        assert.near(1.05, found[1].causes[1][1].factor, 0.01)
        assert.near(1.5, found[2].causes[1][1].factor, 0.015)
        assert.equal("code", found[2].causes[1][1].kind)
    end)
end)

-- The campaign's argument with another expectation of a metric in some codes: { [code] = factor }.
local function expecting(argument, metric, factors)
    local made = blamed.make(argument)
    for _, sample in ipairs(made.samples) do
        local factor = sample.metric == metric and factors[sample.code] or 1
        for _, key in ipairs { "min", "value", "max" } do
            sample.expected[key] = factor * sample.expected[key]
        end
    end
    return made
end

describe("blame next to exceptions", function()
    local CODES = { "load", "copy", "triad", "stream", "ddot", "daxpy", "store", "scale" }
    local GOLDEN = (math.sqrt(5) - 1) / 2 -- makes the same number of the same count, as both groups have it of one run
    local UNSTEADY_INSTRUCTIONS = on("INSTR_RETIRED_ANY", function(n) return math.floor(n * (0.7 + 0.6 * (n * GOLDEN % 1))) end)
    local ODD = { load = 2, stream = 3, store = 2 } -- the true FLOPs divided by the formula's value
    local function found(faults)
        return blame.find(expecting({ groups = { "ASSAY_AVX", "ASSAY_DIVIDER" }, together = true, codes = CODES, faults = faults },
            "AVX FLOPs DP", ODD))
    end

    -- The one part that is to blame, without the exceptions, which are separate entries.
    local function besides(faults)
        local other, odd = {}, 0
        for _, entry in ipairs(found(faults)) do
            local part = entry.causes[1] and entry.causes[1][1] or { kind = "nothing" }
            if part.kind == "claim" and #entry.causes == 1 then
                odd = odd + 1
                assert.near(1 / ODD[part.code], part.factor, 0.01, entry.text)
            else
                other[#other + 1] = entry
            end
        end
        assert.equal(3, odd)
        assert.equal(1, #other)
        assert.equal(1, #other[1].causes, other[1].text)
        return other[1].causes[1][1], other[1]
    end

    it("names an event that shares only right metrics with them", function()
        local part, entry = besides { on("ARITH_DIVIDER_UOPS", function(n) return 0.6 * n end) }
        assert.same({ "event", "ARITH_DIVIDER_UOPS" }, { part.kind, part.event })
        assert.near(0.6, part.factor, 0.006)
        assert.same({ "ASSAY_DIVIDER" }, entry.groups)
    end)

    it("names the event of the exceptional metric, with the constants that are right in most codes", function()
        for _, constants in ipairs { { 3, 0 }, { 1, 400000 }, { 1.2, 100000 } } do
            local part = besides { on("AVX_INSTS_CALC", function(n) return constants[1] * n + constants[2] end) }
            assert.same({ "event", "AVX_INSTS_CALC" }, { part.kind, part.event })
            assert.near(constants[1], part.factor or 1, 0.01 * constants[1])
            assert.near(constants[2], part.offset or 0, 0.01 * constants[2] + 1e-9)
        end
    end)

    it("names another event without constants, although its metrics also use the exceptions' event", function()
        local part = besides { UNSTEADY_INSTRUCTIONS }
        assert.same({ "unsteady", "INSTR_RETIRED_ANY" }, { part.kind, part.event })
    end)

    it("names events that are wrong in single codes, next to an event without constants in the same metrics #long", function()
        local texts, all = lines { groups = { "ASSAY_AVX", "ASSAY_DIVIDER" }, together = true, codes = CODES, faults = {
            UNSTEADY_INSTRUCTIONS,
            on("AVX_INSTS_CALC", function(n, at) return n * (ODD[at.code] or 1) end),
        } }
        assert.equal(4, #all, table.concat(texts, "\n"))
        assert.same({ "unsteady", "INSTR_RETIRED_ANY" }, { all[1].causes[1][1].kind, all[1].causes[1][1].event })
        for i = 2, 4 do
            local part = all[i].causes[1][1]
            assert.equal("code", part.kind, texts[i])
            assert.near(ODD[part.code], part.factor, 0.01 * ODD[part.code])
        end
    end)

    it("names an event in one code, although another event makes its metrics wrong elsewhere #long", function()
        local made = blamed.make { groups = { "ASSAY_AVX" }, codes = CODES, faults = {
            UNSTEADY_INSTRUCTIONS,
            on("AVX_INSTS_CALC", function(n, at) return at.code == "copy" and 1.5 * n or n end),
        } }
        for key, list in pairs { samples = {}, metrics = {} } do
            for _, entry in ipairs(made[key]) do
                list[#list + 1] = not (entry.code == "copy" and entry.metric:find "per instruction") and entry or nil
            end
            made[key] = list
        end
        local kinds = {}
        for i, entry in ipairs(blame.find(made)) do
            assert.equal(1, #entry.causes, entry.text)
            kinds[i] = entry.causes[1][1].kind .. " " .. entry.causes[1][1].event
        end
        assert.same({ "unsteady INSTR_RETIRED_ANY", "code AVX_INSTS_CALC" }, kinds)
    end)

    it("may name an event without constants and a metric in one code, and no event twice", function()
        local known = { metrics = { M = { count = 8, codes = {}, items = { { events = { E = true } } } } },
            events = { E = { count = 8, codes = {} } } }
        local unsteady = { kind = "unsteady", event = "E" }
        assert.is_true(hypotheses.fits(known, { unsteady }, { kind = "claim", metric = "M", place = "p\tc" }))
        assert.is_false(hypotheses.fits(known, { unsteady }, { kind = "event", event = "E" }))
    end)

    it("may name one of three codes of a metric, whatever exceptions there are in other metrics", function()
        local known = { metrics = { M = { count = 3, codes = { a = true, b = true, c = true }, items = { { events = { E = true } } } } },
            events = { E = { count = 8, codes = { a = true, b = true, c = true, d = true } } } }
        local function odd(place) return { kind = "code", event = "E", place = place } end
        assert.is_true(hypotheses.fits(known, { odd "d" }, { kind = "claim", metric = "M", place = "a" }))
        assert.is_false(hypotheses.fits(known, { odd "b" }, { kind = "claim", metric = "M", place = "a" }))
    end)

    it("names an event without constants, and the exceptional metrics keep their constants", function()
        local random = synthetic.random(11)
        local part = besides { on("AVX_INSTS_CALC", function(n, at) return ODD[at.code] and n or n * random.between(0.7, 1.3) end) }
        assert.same({ "unsteady", "AVX_INSTS_CALC" }, { part.kind, part.event })
    end)
end)

describe("blame of what is divided by 0", function()
    local group = group_file.parse { file = "G.txt", text = table.concat({ "SHORT G", "", "EVENTSET", "PMC0 A", "PMC1 B", "PMC2 C", "",
        "METRICS", "Share PMC0/(PMC0+PMC1)", "" }, "\n") }

    local function causes(known)
        local function at(code, more)
            more.pattern, more.code, more.point, more.rep, more.thread, more.group = "p", code, code, 1, 0, "G"
            return more
        end
        local found = absent.find({ groups = { G = group }, machine = {}, samples = { at("one", { metric = "Share", why = "nan" }) },
            counts = {
                at("one", { counts = { ["A@PMC0"] = 0, ["B@PMC1"] = 0, ["C@PMC2"] = 0 }, absent = {} }),
                at("two", { counts = { ["A@PMC0"] = 0, ["B@PMC1"] = 7, ["C@PMC2"] = 0 }, absent = {} }),
            } }, known)
        local texts = {}
        for i, cause in ipairs(found) do
            texts[i] = {}
            for k, part in ipairs(cause.parts) do
                texts[i][k] = ("%s %s"):format(part.kind, part.event)
            end
        end
        return texts
    end

    it("is one of the divisor's events: the one that is already to blame", function()
        assert.same({ { "silent A", "unsteady B" } }, causes {})
        assert.same({ { "silent A" } }, causes { A = true, C = true })
        assert.same({ { "silent A", "unsteady B" } }, causes { C = true })
    end)
end)

describe("blame of boxes", function()
    it("distinguishes all boxes from one, although only their sum is expected", function()
        local all = only { groups = SOCKET, faults = { on("CAS_COUNT_RD", function(count) return 1.2 * count end) } }
        assert.same({ "event", "CAS_COUNT_RD" }, { all.kind, all.event })
        for box = 0, 7, synthetic.cases(7, 3) do
            local one = only { groups = SOCKET, faults = { on("CAS_COUNT_RD", function(n) return 1.4 * n end, "^MBOX" .. box) } }
            assert.same({ "box", "MBOX" .. box }, { one.kind, one.box })
            assert.is_true(contains(one.factor_ci, 1.4))
            assert.near(1.4, one.factor, 0.014)
        end
    end)

    it("names the box that counts nothing while others count", function()
        for _, group in ipairs { "ASSAY_MEM", "ASSAY_CBOX" } do
            local event, box = table.unpack(group == "ASSAY_MEM" and { "CAS_COUNT_RD", "MBOX3" } or { "TOR_INSERTS_LOCAL_OPCODE", "CBOX7" })
            local part = only { groups = { group }, faults = { on(event, function() return 0 end, "^" .. box) } }
            assert.same({ "silent box", event, box }, { part.kind, part.event, part.box })
        end
    end)

    it("names boxes that show others' counts, with a wrong stride if each second one does, and none if the boxes' sum is right", function()
        -- Box k reads of[k + 1] times what it reads if all read alike, and writes as much. Writes are not judged by themselves.
        local function part_of(of, write, width)
            return only { groups = { "ASSAY_MEM" }, judged = function(name) return not name:find "write" end, width = width,
                alike = { CAS_COUNT_RD = "lines", CAS_COUNT_WR = "lines" }, faults = { function(count, event, counter)
                    return count * (event == "CAS_COUNT_RD" and of[counter:match "^MBOX(%d)" + 1] or event == "CAS_COUNT_WR" and write or 1)
                end } }
        end
        local part = part_of({ 0.4, 0.4, 1.2, 0.8, 0.6, 1.6, 1.4, 1 }, 1)
        assert.same({ "mirror", "MBOX1", "MBOX0" }, { part.kind, part.box, part.other })
        part = part_of({ 0.4, 0.4, 1.2, 1.2, 0.6, 0.6, 1.4, 1.4 }, 1)
        assert.same({ "stride", "MBOX1, MBOX3, MBOX5, MBOX7", "MBOX0, MBOX2, MBOX4, MBOX6" }, { part.kind, part.box, part.other })
        -- Half of the writes: 1.5 of 2 lines, and 1.6 are allowed. Reads, known within 20 %, could be 0.2 too few.
        part = part_of({ 0.5, 0.5, 1.5, 1.5, 0.75, 0.75, 1.25, 1.25 }, 0.5, 20)
        assert.same({ "event", "CAS_COUNT_WR" }, { part.kind, part.event })
    end)

    it("names a box without values, and a counter", function()
        local part, entry = only { groups = SOCKET, faults = { function(count, _, counter)
            return not counter:match "^MBOX3" and count or nil
        end } }
        assert.same({ "absent", "MBOX3", "dash" }, { part.kind, part.box, part.why })
        assert.same({ "ASSAY_MEM" }, entry.groups)
        part = only { groups = CORE, faults = { on("L1D_REPLACEMENT", function() return nil end) } }
        assert.equal("L1D_REPLACEMENT on PMC0", part.counter)
    end)
end)

describe("blame of two events", function()
    it("names both with their constants, in one group and in two", function()
        for _, other in ipairs { "L2_TRANS_L1D_WB", "L2_LINES_IN_ALL" } do
            local texts, found = lines { groups = CORE, faults = { on("L1D_REPLACEMENT", function(n) return 1.2 * n end),
                on(other, function(n) return 0.8 * n end) } }
            assert.equal(2, #found, table.concat(texts, "\n"))
            local factors = {}
            for _, entry in ipairs(found) do
                local part = entry.causes[1][1]
                assert.same({ 1, 1, "event" }, { #entry.causes, #entry.causes[1], part.kind })
                factors[part.event] = part.factor
            end
            assert.near(1.2, factors.L1D_REPLACEMENT, 0.012)
            assert.near(0.8, factors[other], 0.008)
        end
    end)

    it("names three whose metrics are entangled: per instruction, and instructions themselves", function()
        local wrong = { INSTR_RETIRED_ANY = 1.37, AVX_INSTS_CALC = 1.1, ARITH_DIVIDER_UOPS = 0.7 }
        local texts, found = lines { groups = { "ASSAY_AVX", "ASSAY_DIVIDER" }, codes = { "load", "copy", "triad" }, points = 2,
            faults = { function(count, event) return count * (wrong[event] or 1) end } }
        assert.equal(3, #found, table.concat(texts, "\n"))
        for _, entry in ipairs(found) do
            local part = entry.causes[1][1]
            assert.same({ 1, "event" }, { #entry.causes, part.kind })
            assert.near(wrong[part.event], part.factor, 0.01 * wrong[part.event])
        end
    end)

    it("names exchanged events, and an event that counts what another one counts", function()
        local function exchange(a, b)
            return function(count, event, _, _, truth)
                return event == a and truth(b) or event == b and truth(a) or count
            end
        end
        for _, other in ipairs { "L2_LINES_IN_ALL", "L2_TRANS_L1D_WB" } do
            local part = only { groups = { "ASSAY_L2", "ASSAY_L3" }, together = true, faults = { exchange("L1D_REPLACEMENT", other) } }
            assert.same({ "swap", "L1D_REPLACEMENT", other }, { part.kind, part.event, part.other })
        end
        local part = only { groups = { "ASSAY_L2", "ASSAY_L3" }, together = true, faults = { on("L1D_REPLACEMENT", function(_, _, truth)
            return truth "L2_LINES_IN_ALL"
        end) } }
        assert.same({ "other", "L1D_REPLACEMENT", "L2_LINES_IN_ALL" }, { part.kind, part.event, part.other })
    end)
end)

describe("blame that cannot decide", function()
    -- Blame of a single metric of a single event.
    local function of_divider_uops(argument)
        local made, kept = blamed.make(argument), { samples = {}, metrics = {} }
        for key, list in pairs(kept) do
            for _, entry in ipairs(made[key]) do
                list[#list + 1] = entry.metric == "Divider uops" and entry or nil
            end
            made[key] = list
        end
        local found = blame.find(made)
        assert.equal(1, #found)
        return found[1]
    end

    it("lists all explanations that fit, and names none as certain", function()
        local entry = of_divider_uops { groups = { "ASSAY_DIVIDER" }, mutate = { ASSAY_DIVIDER = function(text)
            return (text:gsub("Divider uops PMC0", "Divider uops 2*PMC0"))
        end } }
        local kinds = {}
        for _, parts in ipairs(entry.causes) do
            assert.equal(1, #parts)
            kinds[parts[1].kind] = true
        end
        assert.same({ event = true, formula = true }, kinds)
        assert.truthy(entry.text:find(", or ", 1, true))
    end)

    it("blames the event if a metric is only its count", function()
        for factor, kind in pairs { [2] = "event", [0] = "silent" } do
            local entry = of_divider_uops { groups = { "ASSAY_DIVIDER" },
                faults = { on("ARITH_DIVIDER_UOPS", function(n) return factor * n end) } }
            assert.equal(1, #entry.causes, entry.text)
            assert.equal(kind, entry.causes[1][1].kind)
        end
    end)

    it("says that nothing explains a metric without counts", function()
        local argument = blamed.make { groups = CORE, faults = { on("L1D_REPLACEMENT", function(n) return 2 * n end) } }
        argument.counts = {}
        local found = blame.find(argument)
        assert.equal(1, #found)
        assert.same({ 0, 20 }, { #found[1].causes, found[1].metrics })
    end)
end)

-- change(formula): with the first match replaced, or false if there is none.
local function first_replaced(pattern, by)
    return function(formula)
        local changed, n = formula:gsub(pattern, by, 1)
        return n == 1 and changed
    end
end

-- Wrong formulas, made from every group by rules: one metric's line is changed at a time.
local KINDS = {
    { name = "a weight on a counter", change = first_replaced("(%f[%w_][A-Z]+%d+C?%d*[:%w=]*)", "2*%1") },
    { name = "a term less", change = first_replaced("%+[A-Z]+%d+C?%d*[:%w=]*%)", ")") },
    { name = "a unit", change = first_replaced("^1.0E%-0%d", "1.0E-03") },
    { name = "a sign", change = first_replaced("%+", "-") },
    { name = "no time", change = first_replaced("/time$", "") },
    { name = "inverted", change = function(formula)
        local a, b = formula:match "^([A-Z]+%d+)/([A-Z]+%d+)$"
        return a and b .. "/" .. a
    end },
    { name = "another counter", change = function(formula, group)
        for _, event in ipairs(group.events) do
            local other = event.name:match "^PMC%d$"
            local own = formula:match "PMC%d"
            if other and own and other ~= own and not formula:find(other, 1, true) then
                return (formula:gsub(own, other))
            end
        end
        return nil
    end },
    { name = "a factor", change = function(formula)
        local changed, n = formula:gsub("%*%d+%.0", "*16.0")
        return n > 0 and changed
    end },
}

-- A copy of the group's text in which that metric has another formula.
local function replaced(text, metric, formula)
    local title = metric.name .. (metric.unit and " [" .. metric.unit .. "]" or "")
    local from, to = text:find("\n" .. title .. " " .. metric.formula .. "\n", 1, true)
    assert(from, title)
    return text:sub(1, from) .. title .. " " .. formula .. text:sub(to)
end

local MUTATED = { "ASSAY_L2", "ASSAY_L3", "ASSAY_MEM", "ASSAY_MEM1", "ASSAY_HA", "ASSAY_AVX", "ASSAY_FLOPS", "ASSAY_SHARING" }

-- Is the event in no formula but the metric's?
local function is_only_in(group, event, metric)
    for _, one in ipairs(group.events) do
        for _, other in ipairs(one.event == event and group.metrics or {}) do
            if other.name ~= metric.name and group_file.counters(other)[one.name] then
                return false
            end
        end
    end
    return true
end

describe("blame of formulas", function()
    local tried, certain = 0, 0
    for _, arch in ipairs { "haswellEP", "skylakeX", "zen3" } do
        for _, kind in ipairs(KINDS) do
            local done = 0
            for _, name in ipairs(MUTATED) do
                local is_there, group = pcall(blamed.group, arch, name)
                for _, metric in ipairs(is_there and group.metrics or {}) do
                    local formula = done < 3 and kind.change(metric.formula, group)
                    if formula then
                        done, tried = done + 1, tried + 1
                        it(("in %s %s: %s of %s"):format(arch, name, kind.name, metric.name), function()
                            local texts, found = lines { arch = arch, groups = { name },
                                mutate = { [name] = function(text) return replaced(text, metric, formula) end } }
                            assert.equal(1, #found, table.concat(texts, "\n"))
                            -- an event in no other metric may be an equally good explanation
                            local is_named = false
                            for _, parts in ipairs(found[1].causes) do
                                local part = parts[1]
                                is_named = is_named or part.kind == "formula" and part.group == name and part.metric == metric.name
                                assert.equal(1, #parts)
                                assert.is_true(part.metric == metric.name or is_only_in(group, part.event, metric), found[1].text)
                            end
                            assert.is_true(is_named, found[1].text)
                            certain = certain + (#found[1].causes == 1 and 1 or 0)
                        end)
                        break
                    end
                end
            end
        end
    end

    it("are at least 30, and few are ambiguous", function()
        assert.is_true(tried >= 30 and certain >= 0.8 * tried, ("%d of %d"):format(certain, tried))
    end)
end)
