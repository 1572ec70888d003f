-- An L3 so small that two lists of latency-bound access certainly do not fit into it, and still take little time.
return { arch = "zen3", l3 = { size = 4 << 20, ways = 16 } }
