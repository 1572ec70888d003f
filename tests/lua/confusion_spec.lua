-- confusion_spec.lua - comparison of diagnoses with the truth (tests/diagnosis/confusion.lua). SPDX-License-Identifier: GPL-3.0-or-later
local confusion = dofile "tests/diagnosis/confusion.lua"
local lists = require "input.lists"
local fixture = require "fixture"
local stats = require "numeric.stats"

local function answer_of(patterns, present, cannot)
    local answer, more = confusion.answer { patterns = patterns, present = present or "-", ["cannot say"] = cannot or "-" }
    return answer, table.concat(more, ",")
end

describe("a diagnosis against the truth", function()
    it("is right if one of the program's patterns is present with the largest share", function()
        assert.same({ "right", "" }, { answer_of("control_flow", "control_flow 0.300..0.400") })
        assert.same({ "right", "" }, { answer_of("bad_page_placement,bandwidth_saturation",
            "bandwidth_saturation 0.5..0.6,page_placement 0.1..0.2") })
        assert.same({ "right", "latency_bound" }, { answer_of("control_flow", "control_flow 0.3..0.4,latency_bound 0.1..0.2") })
        assert.same({ "wrong", "latency_bound" }, { answer_of("control_flow", "latency_bound 0.4..0.5,control_flow 0.3..0.4") })
    end)

    it("without a present pattern is 'cannot say' or missed, as the answer for the program's first pattern says", function()
        assert.same({ "cannot say", "" }, { answer_of("excess_data_volume", "-", "pipelining,excess_volume 0.010..0.300") })
        assert.same({ "missed", "" }, { answer_of("excess_data_volume", "-", "pipelining") })
        assert.same({ "missed", "" }, { answer_of("bad_page_placement,bandwidth_saturation", "-", "bandwidth_saturation 0.000..0.300") })
    end)

    it("of a healthy program is right if nothing is present", function()
        assert.equal("right", answer_of("healthy", "-", "pipelining"))
        assert.same({ "wrong", "split_loads" }, { answer_of("healthy", "split_loads 0.060..0.070") })
    end)

    it("of a program whose pattern Assay lacks is right if nothing is present, or only the most similar pattern", function()
        assert.equal("right", answer_of "icache_misses")
        assert.equal("right", answer_of("true_sharing", "atomic_updates 0.3..0.5"))
        assert.equal("wrong", answer_of("tlb_misses", "control_flow 0.3..0.5"))
    end)

    it("knows every pattern of packages.tsv", function()
        local rows = confusion.rows(fixture.text "tests/diagnosis/packages.tsv")
        assert.is_true(#rows > 0)
        for _, row in ipairs(rows) do
            assert.is_string(row["by construction"], row.program)
            for name in row.patterns:gmatch "[^,?]+" do
                for _, pattern in ipairs(confusion.NAMES[name] or { name }) do
                    assert.is_table(fixture.pattern(pattern), name)
                end
            end
        end
    end)

    it("knows every pattern and every condition of truth.tsv", function()
        local rows = confusion.rows(fixture.text "tests/diagnosis/truth.tsv")
        local haswell = { arch = "haswellEP", llc_bytes = 4 << 20, sockets = 1, cores = 2 }
        for _, row in ipairs(rows) do
            assert.is_boolean(confusion.holds(row.needs, haswell), row.needs)
            for name in row.patterns:gmatch "[^,]+" do
                for _, pattern in ipairs(confusion.NAMES[name] or { name }) do
                    assert.is_table(fixture.pattern(pattern), name)
                end
            end
        end
        local four = { arch = "zen3", llc_bytes = 12 << 20, sockets = 2, cores = 4 } -- 6 MiB a core
        assert.is_true(confusion.holds("L3 > 1.5 MiB a thread", four))
        assert.is_false(confusion.holds("L3 > 1.5 MiB a thread", { arch = "zen3", llc_bytes = 3 << 20, sockets = 1, cores = 2 }))
        assert.is_false(confusion.holds("a core that compares low address bits", four))
        assert.is_false(confusion.holds("a core with transitions: haswellEP", four))
    end)

    it("says nothing about patterns whose share may be on both sides of the limit", function()
        assert.same({ "right", "" }, { answer_of("control_flow?,latency_bound_access?", "latency_bound 0.1..0.2") })
        assert.equal("right", answer_of("control_flow?", "-", "pipelining"))
        assert.same({ "right", "" }, { answer_of("control_flow,latency_bound_access?",
            "latency_bound 0.3..0.4,control_flow 0.1..0.2") })
        assert.equal("missed", answer_of("control_flow,latency_bound_access?", "latency_bound 0.3..0.4"))
        assert.same({ "wrong", "split_loads" }, { answer_of("control_flow?", "split_loads 0.1..0.2") })
        local rows = confusion.rows("patterns\tpresent\tcannot say\ncontrol_flow\t-\t-\ncontrol_flow?\t-\t-\n")
        assert.same({ { pattern = "control_flow", n = 1, missed = 1, more = 0 }, { pattern = "control_flow?", n = 1, right = 1, more = 0 },
            { pattern = "all", n = 1, missed = 1, more = 0 }, { pattern = "all ?", n = 1, right = 1, more = 0 } }, confusion.matrix(rows))
    end)

    it("is counted by pattern and in all, with Wilson's intervals", function()
        local rows = confusion.rows("patterns\tpresent\tcannot say\nhealthy\t-\t-\nhealthy\tcontrol_flow 0.1..0.2\t-\n"
            .. "control_flow\tcontrol_flow 0.1..0.2,split_loads 0.06..0.07\t-\npipelining\t-\tpipelining\n")
        local matrix = confusion.matrix(rows)
        assert.same({ "control_flow", "healthy", "pipelining", "all" }, lists.map(matrix, "pattern"))
        assert.same({ pattern = "healthy", n = 2, right = 1, wrong = 1, more = 1 }, matrix[2])
        assert.same({ pattern = "all", n = 4, right = 2, wrong = 1, ["cannot say"] = 1, more = 2 }, matrix[4])
        local half = stats.rate(2, 4)
        assert.matches(("| all | 4 | 2 (%.0f .. %.0f %%) |"):format(100 * half.low, 100 * half.high),
            confusion.render(rows)[6], 1, true)
    end)

    it("replaces the generated part of the page, and nothing else", function()
        local text = "program\tthreads\tpatterns\tpresent\tcannot say\tversion\tday\na\t2\thealthy\tcontrol_flow 0.1..0.2\t-\t1.0\tD\n"
        local function place(files)
            return ("<!-- Made by `make pages` from docs/diagnosis/%s -->\nSTALE\n<!-- End of what is made -->\n"):format(files)
        end
        local page = "before\n" .. place "*.tsv" .. "between\n" .. place "*.faults" .. "after\n"
        local flipped = { { arch = "zen3", text = "event\tfactor\tprograms\tlost\twrong\ttold\nX\t2\t7\t1\t1\ta 2: b\nY\t0\t7\t0\t0\t\n" } }
        local files = { { arch = "zen3", half = "open", text = text } }
        local truth = { open = { {}, {} }, kept = { {} } }
        local made = confusion.page(page, files, flipped, truth)
        assert.matches("### zen3, open half\n\n1 of the 2 rows of truth.tsv, on virtual nodes, version 1.0, D.\n", made, 1, true)
        assert.matches("^before\n.*\nbetween\n.*\nafter\n$", made)
        assert.matches("between\n.*### zen3\n\n.*| X | double | 7 | 1 | 1 | a 2: b |\n", made)
        assert.is_nil(made:find("| Y ", 1, true))
        assert.matches("- a, threads 2 (healthy): wrong; present: control_flow 0.1..0.2", made, 1, true)
        assert.is_nil(made:find "STALE")
        assert.equal(made, confusion.page(made, files, flipped, truth))
    end)

    it("is stored as the patterns with an answer, each with its share", function()
        assert.equal("a 0.250..0.500,b", confusion.list({ { pattern = "a", answer = "present", low = 0.25, high = 0.5 },
            { pattern = "c", answer = "absent" }, { pattern = "b", answer = "present" } }, "present"))
        assert.equal("-", confusion.list({}, "present"))
        local row = { program = "p", threads = "2", patterns = "a", node = "n", version = "v", day = "d" }
        assert.equal("p\t2\ta\tb\t-\tn\tv\td", confusion.line(confusion.tell(row, { { pattern = "b", answer = "present" } })))
    end)
end)
