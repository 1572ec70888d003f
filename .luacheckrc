std = "lua54"
max_line_length = 140
files["patterns"] = { globals = { "pattern", "code", "level", "control", "point", "quantity" }, read_globals = { "capacity" } }
files["groups"] = { globals = { "machine", "counters", "cache", "traffic", "part", "count", "erratum" } }
files["tests/lua"] = { std = "+busted" }
