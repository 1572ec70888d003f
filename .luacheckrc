std = "lua54"
max_line_length = 140
files["patterns"] = { globals = { "pattern", "code", "level", "control" } }
files["groups"] = { globals = { "machine", "counters", "cache", "traffic", "erratum" } }
files["tests/lua"] = { std = "+busted" }
