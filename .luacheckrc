std = "lua54"
max_line_length = 140
files["patterns"] = { globals = { "pattern", "code", "level", "control", "point", "quantity", "test", "also", "explains" }, read_globals = { "capacity", "directory_lines", "level_of", "none_of", "at_least", "place_of", "safe_bytes", "are_random", "pair_bytes", "with_neighbours", "lines_past", "uneven_lines", "executed", "per_instruction", "cycles_per_instruction", "cost", "costs", "random_part", "overhead", "narrow", "spun", "contended", "by_quantity", "dependent", "uneven", "written" } }
files["probes"] = { globals = { "probe", "code", "point", "curve", "vectors" }, read_globals = { "capacity", "place_of", "concepts_of", "and_mispredictions" } }
files["groups"] = {
    globals = {
        "machine", "processor", "perfmon", "perfmon2", "tlb", "pipeline", "latency", "units", "level", "snoop_filter", "probe", "counters", "traffic", "part", "count", "absent", "unjudged",
        "erratum", "filter", "alike", "shown", "silicon",
    },
}
files["tests/archs"] = { globals = { "machine", "processor", "perfmon", "perfmon2", "tlb", "level", "snoop_filter" } }
files["tests/lua"] = { std = "+busted" }
