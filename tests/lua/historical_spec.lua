-- historical_spec.lua - published figures of silicon: what the judge says of numbers that no simulator made.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local historical = require "exchange.historical"
local lists = require "input.lists"

local TABLE = "results/published/likwid-2014.tsv"
local records = historical.records { text = fixture.text(TABLE), file = TABLE }

local function record_of(arch)
    return lists.find(records, function(record) return record.node.arch == arch end)
end

local function metrics(arch, group, level)
    return lists.filter(record_of(arch).metrics, function(metric) return metric.group == group and metric.level == level end)
end

local function metric(arch, group, code, level)
    return lists.find(metrics(arch, group, level), function(one) return one.code == code end)
end

local ORDINARY = { "load", "store", "copy", "stream", "triad", "update" } -- kernels without non-temporal stores

describe("the figures of 2014", function()
    it("are all judged, and every record says where they were published", function()
        local lines = select(2, fixture.text(TABLE):gsub("\nfigure", ""))
        assert.are.equal(lines, #lists.flat(records, "samples"))
        for _, record in ipairs(records) do
            assert.are.equal("historical", record.node.kind)
            assert.is_truthy(record.source.commit:match("^" .. ("%x"):rep(40) .. "$"))
            assert.are.equal(#record.samples, lists.sum(record.metrics, "n"))
        end
    end)

    it("differ by at most half of the tolerance between plain runs of one kernel and size beyond L1", function()
        local plain = {}
        for _, record in ipairs(records) do
            for _, sample in ipairs(record.samples) do
                local key = table.concat({ record.node.name, sample.code, sample.point }, " ")
                lists.push(plain, key, not sample.point:find "^[12][24]kB" and sample.unit == "MBytes/s" and sample.work or nil)
            end
        end
        local spread = lists.most(lists.sorted(plain), 0, function(key)
            local values = plain[key]
            table.sort(values)
            return #values > 1 and 100 * (values[#values] / values[1] - 1) or 0
        end)
        assert.is_true(spread > 0 and spread <= records[1].metrics[1].tolerance_pct / 2, spread)
    end)

    it("are exact for Sandy Bridge EP's memory", function()
        for _, code in ipairs(ORDINARY) do
            assert.are.equal("validated", metric("sandybridgeEP", "MEM", code).verdict, code)
        end
    end)

    it("lack a term for Ivy Bridge EP's L2: the evicted lines", function()
        assert.are.equal("validated", metric("ivybridgeEP", "L2", "load").verdict)
        local blame = record_of("ivybridgeEP").blame
        assert.are.equal(1, #blame)
        assert.are.equal("L2", blame[1].groups[1])
        assert.are.equal("lacks", blame[1].causes[1][1].what)
        assert.are.equal("evict", blame[1].causes[1][1].name)
        assert.are.equal(#ORDINARY - 1, blame[1].metrics) -- all but load
        -- share = lines filled / (lines filled + lines evicted)
        for code, share in pairs { copy = 2 / 3, stream = 3 / 4, triad = 4 / 5 } do
            local found = metric("ivybridgeEP", "L2", code)
            assert.are.equal("multiplicative", found.class, code)
            assert.is_true(math.abs(found.correction.factor / share - 1) < found.tolerance_pct / 100, code)
        end
        for _, code in ipairs { "store", "update" } do
            local error_pct = metric("ivybridgeEP", "L2", code).error_pct
            assert.is_true(math.abs(error_pct.avg + 50) < 1, code)
        end
        for _, arch in ipairs { "westmere", "westmereEX", "sandybridgeEP", "haswell" } do
            assert.are.equal(0, #record_of(arch).blame, arch)
        end
    end)

    it("are wrong by the level that holds the data for Sandy Bridge's operations", function()
        assert.are.equal("validated", metric("sandybridgeEP", "FLOPS_DP", "stream", "L1").verdict)
        local before = metric("sandybridgeEP", "FLOPS_DP", "stream", "L1").error_pct.avg
        for _, level in ipairs { "L2", "L3", "MEM" } do
            local found = metric("sandybridgeEP", "FLOPS_DP", "stream", level)
            assert.are.equal("rejected", found.verdict, level)
            assert.is_true(found.error_pct.avg > before, level)
            before = found.error_pct.avg
        end
    end)

    it("are wrong for loads in Westmere's L3, which counts clean victims, too, but not in Westmere EX's", function()
        local found = metric("westmere", "L3", "load")
        assert.are.equal("rejected", found.verdict)
        assert.is_true(found.error_pct.min > 80 and found.error_pct.max < 100) -- nearly each line loaded evicts a clean one
        assert.are.equal("validated", metric("westmere", "L2", "load").verdict)
        assert.are.equal("validated", metric("westmereEX", "L3", "load").verdict)
    end)
end)

describe("a table", function()
    local HEAD = "source\twhere\ncaches\t1024\t4096\nnode\ta\tn\tc\t1\t1\t1\t2014-01-01T00:00:00Z\tc\tp\n"
        .. "kernel\tcopy\tr w\t16\t0\ngroup\tL2\tM\tMBytes/s\tL1-L2\n"
    local FIGURE = "figure\tn\tL2\tcopy\t2kB\t2048\t5\t90\t100\t110\t1\t150\t200\n"

    local function read(text)
        return historical.records { text = text, file = "t.tsv" }
    end

    it("gives the expected rate from plain rate and streams, its interval from the plain runs", function()
        local sample = read(HEAD .. FIGURE)[1].samples[1]
        -- copy: two fills and one write-back of 8 bytes for 16 reported ones
        assert.are.same({ min = 135, value = 150, max = 165 }, sample.expected)
        assert.are.equal(150, sample.measured)
    end)

    it("is refused with file and line", function()
        for text, message in pairs {
            ["node\ta\n"] = "t.tsv:1: 1 fields, node has 9",
            ["what\ta\n"] = "t.tsv:1: 'what' begins no line; see lua/exchange/historical.lua",
            ["# c\nkernel\tk\tx\t8\t0\n"] = "t.tsv:2: 'x' is no stream; one of r, w, rw, n",
            ["kernel\tk\tr\tmany\t0\n"] = "t.tsv:1: 'many' is no number of bytes",
            [FIGURE] = "t.tsv:1: no line describes the node n",
            ["node\ta/b\tn\tc\t1\t1\t1\t2014-01-01T00:00:00Z\tc\tp\n"] =
                "t.tsv:1: architecture and name must be file names, and the time like 2014-01-02T03:04:05Z",
            [HEAD .. FIGURE:gsub("\t90\t", "\t101\t")] = "t.tsv:6: no expectation follows from the plain figures and the kernel",
            [HEAD:gsub("\t16\t", "\t0\t") .. FIGURE] = "t.tsv:6: no expectation follows from the plain figures and the kernel",
            [HEAD:gsub("L1%-L2", "L7-L8") .. FIGURE] = "t.tsv:6: machine n has no cache level 7",
            ["# nothing\n"] = "t.tsv:1: no line 'source' or no line 'caches'; see lua/exchange/historical.lua",
        } do
            local is_right, why = pcall(read, text)
            assert.is_false(is_right)
            assert.are.equal(message, why)
        end
    end)
end)
