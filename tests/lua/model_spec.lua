-- model_spec.lua - lines per level, computed by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local model = require "model.traffic"

describe("model.cached_streams", function()
    it("leaves out streams that are only written past the caches", function()
        for code, count in pairs { load = 1, store = 1, daxpy = 2, triad = 4, store_nt = 0, copy_nt = 1, triad_nt = 3 } do
            assert.equal(count, model.cached_streams(fixture.streams[code]), code)
        end
    end)
end)

-- The ends of an interval without the terms that explain them.
local function ends(bytes)
    return { min_bytes = bytes.min_bytes, value_bytes = bytes.value_bytes, max_bytes = bytes.max_bytes }
end

describe("model.traffic", function()
    local machine, node = fixture.machine(), fixture.node()

    -- bytes per sweep of one stream: 1000 lines; 100 sweeps
    local function traffic(code, level, boundary, direction, more)
        local point = { level = level, stream_bytes = 64000, passes = 100, threads = 1, warm = true }
        for key, value in pairs(more or {}) do
            point[key] = value
        end
        return model.traffic(fixture.streams[code], machine, node, point, boundary, direction)
    end

    it("allows for prefetches past the last stream that uses caches, up to the end of its page", function()
        local function past(code, bytes, boundary, direction)
            node.prefetchers = "all"
            local more = { stream_bytes = bytes, difference = true }
            local found = traffic(code, boundary == "L1-L2" and "L2" or "L3", boundary, direction or "load", more)
            node.prefetchers = nil
            assert.equal(found.value_bytes, found.min_bytes)
            return (found.max_bytes - found.value_bytes) / 64 / 100
        end
        assert.equal(2, past("load", 64000, "L1-L2"))
        assert.equal(23, past("load", 64000, "L2-L3")) -- 64000 is 2560 bytes into a page, which has 24 more lines
        assert.equal(3, past("load", 16 * 4096 - 192, "L2-L3"))
        assert.equal(0, past("load", 16 * 4096, "L2-L3"))
        assert.equal(0, past("daxpy", 15 * 4096 + 2048, "L1-L2")) -- both together end with a page
        assert.equal(2, past("daxpy", 64000, "L1-L2"))
        assert.equal(0, past("store", 64000, "L2-L3", "data reads"))
        assert.equal(0, past("store_nt", 64000, "L2-L3"))
    end)

    -- streams loaded, written back, written past the caches, by counting the streams of each kernel
    local by_hand = {
        load = { 1, 0, 0 }, store = { 1, 1, 0 }, copy = { 2, 1, 0 }, daxpy = { 2, 1, 0 }, ddot = { 2, 0, 0 }, stream = { 3, 1, 0 },
        triad = { 4, 1, 0 }, store_nt = { 0, 0, 1 }, copy_nt = { 1, 0, 1 }, stream_nt = { 2, 0, 1 }, triad_nt = { 3, 0, 1 },
    }
    for code, lines in pairs(by_hand) do
        it("counts the streams of " .. code, function()
            local volume = 6400000
            for _, case in ipairs { { "L2", "L1-L2" }, { "L3", "L2-L3" } } do
                assert.equal(lines[1] * volume, traffic(code, case[1], case[2], "load").value_bytes)
                assert.equal(lines[2] * volume, traffic(code, case[1], case[2], "evict").value_bytes)
                assert.equal((lines[1] + lines[2]) * volume, traffic(code, case[1], case[2], "total").value_bytes)
            end
            assert.equal(lines[1] * volume, traffic(code, "MEM", "L3-MEM", "load").value_bytes)
            assert.equal((lines[2] + lines[3]) * volume, traffic(code, "MEM", "L3-MEM", "evict").value_bytes)
        end)
    end

    it("counts streams that are read as data reads, and streams written through caches as modified victims", function()
        -- streams read, and written by ordinary stores
        local parts = {
            load = { 1, 0 }, store = { 0, 1 }, copy = { 1, 1 }, daxpy = { 2, 1 }, ddot = { 2, 0 }, stream = { 2, 1 }, triad = { 3, 1 },
            store_nt = { 0, 0 }, copy_nt = { 1, 0 }, stream_nt = { 2, 0 }, triad_nt = { 3, 0 },
        }
        for code, lines in pairs(parts) do
            assert.equal(lines[1] * 6400000, traffic(code, "L3", "L2-L3", "data reads").value_bytes)
            assert.equal(lines[2] * 6400000, traffic(code, "MEM", "L3-MEM", "modified victims").value_bytes)
        end
        -- triad above L3: L1 and L2 keep 294912 of its 4 x 600000 bytes, 0.12288 of each stream
        local reads = traffic("triad", "L3", "L2-L3", "data reads", { stream_bytes = 600000 })
        assert.near(3 * 600000 * (100 - 0.12288), reads.min_bytes, 1e-6)
        assert.equal(3 * 600000 * 100, reads.max_bytes)
        assert.same({ min_bytes = 0, value_bytes = 0, max_bytes = 0 }, ends(traffic("triad", "L2", "L2-L3", "data reads")))
        assert.same({ min_bytes = 0, value_bytes = 0, max_bytes = 0 }, ends(traffic("copy_nt", "L3", "L3-MEM", "modified victims")))
    end)

    it("gives each slice its share, to one line per array and sweep", function()
        local point = { stream_bytes = 64000, passes = 100 }
        local two = { min_bytes = 12700000, value_bytes = 12800000, max_bytes = 12800000 } -- two arrays
        local slice = model.slice(two, 4, point, 64)
        local uneven = 2 * 101 * 64 * 3 / 4
        assert.near(12700000 / 4 - uneven, slice.min_bytes, 1e-6)
        assert.near(12800000 / 4, slice.value_bytes, 1e-6)
        assert.near(12800000 / 4 + uneven, slice.max_bytes, 1e-6)
        assert.same(two, ends(model.slice(two, 1, point, 64)))
        local nothing = { min_bytes = 0, value_bytes = 0, max_bytes = 0 }
        assert.same(nothing, ends(model.slice(nothing, 4, { stream_bytes = 64000, passes = 0 }, 64)))
        assert.same(nothing, ends(model.slice(nothing, 4, point, 64)))
        -- a difference has no ends: the arrays' 100 sweeps only
        local exact = { min_bytes = 12800000, value_bytes = 12800000, max_bytes = 12800000 }
        local more = model.slice(exact, 4, { stream_bytes = 64000, passes = 100, difference = true }, 64)
        assert.near(12800000 / 4 + 2 * 100 * 64 * 3 / 4, more.max_bytes, 1e-6)
    end)

    it("bounds the true counts of interleaved slices, counted line by line", function()
        for _, case in ipairs { { 1000, 3 }, { 1001, 4 }, { 7, 18 }, { 65, 2 } } do
            local lines, slices = case[1], case[2]
            for first = 0, slices - 1 do -- where the array starts
                local own = 0
                for line = first, first + lines - 1 do
                    own = own + (line % slices == 0 and 1 or 0)
                end
                local bytes = 64 * lines * 10
                local all = { min_bytes = bytes, value_bytes = bytes, max_bytes = bytes }
                local slice = model.slice(all, slices, { stream_bytes = 64 * lines, passes = 10 }, 64)
                assert.is_true(slice.min_bytes <= 640 * own and 640 * own <= slice.max_bytes)
                assert.is_true(slice.max_bytes - slice.value_bytes < 64 * 11)
            end
        end
    end)

    it("has an interval of the share that L1 can keep", function()
        -- copy, two streams of 64000 bytes: L1 keeps 32768/128000 = 0.256 of each, 16384 bytes
        local load, evict = traffic("copy", "L2", "L1-L2", "load"), traffic("copy", "L2", "L1-L2", "evict")
        assert.near(12800000 - 32768, load.min_bytes, 1e-6)
        assert.equal(12800000, load.max_bytes)
        assert.near(6400000 - 16384, evict.min_bytes, 1e-6)
        assert.near(6400000 + 16384, evict.max_bytes, 1e-6)
        local cold = traffic("copy", "L2", "L1-L2", "evict", { warm = false })
        assert.near(6400000 + 32768, cold.max_bytes, 1e-6)
    end)

    it("counts an inclusive L3 once, L1 and L2 together above it", function()
        assert.equal(5242880, model.capacity(machine, node, 3, 2))
        assert.equal(32768 + 262144, model.capacity(machine, node, 2, 1))
        assert.equal(2 * (32768 + 262144), model.capacity(machine, node, 2, 2))
    end)

    it("uses only the cluster's part of the last level for data of a sub-NUMA cluster, on silicon", function()
        local intel, clustered = fixture.machine(), fixture.node()
        clustered.sockets, clustered.domains, clustered.numa_domains = 1, 1, 2
        clustered.caches[3] = { level = 3, size_bytes = 8 << 20, shared_by_cores = 4 }
        clustered.cpus_by_domain, clustered.cpus_by_numa = { { 0, 1, 2, 3 } }, { { 0, 1 }, { 2, 3 } }
        local function capacity(threads) return model.capacity(intel, clustered, 3, threads) >> 20 end
        clustered.kind = "virtual"
        assert.same({ 8, 8, 8 }, { capacity(1), capacity(4), capacity { 0, 2 } })
        clustered.kind = "native"
        assert.same({ 4, 4, 8, 8 }, { capacity(1), capacity(2), capacity(3), capacity(4) })
        assert.same({ 4, 8 }, { capacity { 0, 1 }, capacity { 1, 2 } })
        clustered.domains = 2 -- cluster-on-die: each has a cache of its own
        assert.equal(8, capacity(1))
    end)

    it("expects only non-temporal stores to cross a boundary if the data stay above it", function()
        for _, direction in ipairs { "load", "evict", "total" } do
            assert.same({ min_bytes = 0, value_bytes = 0, max_bytes = 0 }, ends(traffic("triad", "L2", "L3-MEM", direction)))
        end
        assert.equal(6400000, traffic("copy_nt", "L2", "L3-MEM", "total").value_bytes)
        assert.equal(6400000, traffic("copy_nt", "L2", "L3-MEM", "total").min_bytes)
        assert.equal(64000, traffic("load", "L2", "L3-MEM", "load", { warm = false }).max_bytes)
    end)

    it("fetches no line for a store without write-allocate", function()
        local plain = fixture.machine()
        plain.levels[2].write_allocate = false -- of L1; the first is that of instructions
        local point = { level = "L2", stream_bytes = 64000, passes = 100, threads = 1, warm = true }
        assert.equal(0, model.traffic(fixture.streams.store, plain, node, point, "L1-L2", "load").value_bytes)
        assert.equal(6400000, model.traffic(fixture.streams.store, plain, node, point, "L1-L2", "evict").value_bytes)
    end)

    it("allows for lines that are written without being read, where the node evades write-allocate", function()
        local function shares(code, boundary, direction)
            local found = traffic(code, "MEM", boundary, direction, { difference = true })
            return { found.min_bytes / 6400000, found.value_bytes / 6400000, found.max_bytes / 6400000 }
        end
        local exact = shares("triad", "L3-MEM", "load")
        node.evades = true
        assert.are.same({ 3, 4, 4 }, shares("triad", "L3-MEM", "load"))
        assert.are.same({ 4, 5, 5 }, shares("triad", "L3-MEM", "total"))
        assert.are.same({ 3, 3, 3 }, shares("triad", "L3-MEM", "data reads"))
        assert.are.same({ 1, 1, 1 }, shares("triad", "L3-MEM", "evict"))
        assert.are.same({ 2, 2, 2 }, shares("daxpy", "L3-MEM", "load")) -- what is written was read
        assert.are.same(exact, shares("triad", "L2-L3", "load"))
        -- 100 sweeps more than a base of 10: region and base may evade different parts, 0 of 110 and 10 of 10 at one end
        local found = traffic("triad", "MEM", "L3-MEM", "load", { difference = true, base_passes = 10 })
        assert.are.same({ 2.9, 4, 4.1 }, { found.min_bytes / 6400000, found.value_bytes / 6400000, found.max_bytes / 6400000 })
        node.evades, machine.evades = nil, true
        assert.are.same(exact, shares("triad", "L3-MEM", "load")) -- a virtual node evades only if its file says so
        node.kind = "native" -- which may prefetch past the ends, too
        assert.are.equal(3, shares("triad", "L3-MEM", "load")[1])
        node.kind, machine.evades = "virtual", nil
    end)

    it("has an exact difference of two regions, because the caches' contents at their ends cancel", function()
        -- copy, 60 sweeps more of 64000 bytes: 2 streams come, 1 goes; of load nothing goes, and what goes there is no difference
        for direction, streams in pairs { load = 2, evict = 1, total = 3 } do
            local bytes = ends(traffic("copy", "L2", "L1-L2", direction, { passes = 60, difference = true }))
            local exact = streams * 60 * 64000
            assert.same({ min_bytes = exact, value_bytes = exact, max_bytes = exact }, bytes)
        end
        assert.equal(0, traffic("load", "L2", "L1-L2", "evict", { passes = 60, difference = true }).max_bytes)
        assert.equal(0, traffic("load", "L2", "L2-L3", "load", { passes = 60, difference = true }).max_bytes)
    end)

    it("has the lines of the sweep's own stack, if data displace them", function()
        local own = { own = { read = 128, written = 64 }, difference = true }
        assert.equal(6400000 + 100 * 192, traffic("load", "L2", "L1-L2", "load", own).value_bytes)
        assert.equal(6400000 + 100 * 128, traffic("load", "L3", "L2-L3", "data reads", own).value_bytes)
        assert.equal(6400000 + 100 * 64, traffic("store", "L2", "L1-L2", "evict", own).value_bytes)
        assert.equal(6400000 + 100 * 256, traffic("load", "L2", "L1-L2", "total", own).value_bytes)
        -- not where streams move nothing, or lie in no cache
        assert.equal(0, traffic("load", "L2", "L1-L2", "evict", own).value_bytes)
        assert.equal(0, traffic("store_nt", "L2", "L1-L2", "total", own).value_bytes)
        own.threads = 2
        assert.equal(2 * (6400000 + 100 * 192), traffic("load", "MEM", "L3-MEM", "load", own).value_bytes)
    end)

    it("lists the terms of each end of an interval", function()
        assert.same({ { name = "begin", amount = -32768 } }, traffic("load", "L2", "L1-L2", "load").terms)
        local total = traffic("copy", "L2", "L1-L2", "total")
        assert.same({ { name = "begin", amount = -32768 }, { name = "begin", amount = 16384 }, { name = "end", amount = -16384 } },
            total.terms)
        assert.near(total.value_bytes - 49152, total.min_bytes, 1e-6)
        assert.near(total.value_bytes + 16384, total.max_bytes, 1e-6)
    end)

    it("adds up threads", function()
        assert.equal(2 * 6400000, traffic("load", "MEM", "L3-MEM", "load", { threads = 2 }).value_bytes)
    end)

    it("refuses boundaries and levels that do not exist", function()
        assert.has_error(function() traffic("load", "L2", "L2L3", "load") end, "'L2L3' is no boundary (L1-L2, .., L3-MEM)")
        assert.has_error(function() traffic("load", "L9", "L1-L2", "load") end, "level 'L9' does not exist on node haswellEP-1x2")
    end)
end)
