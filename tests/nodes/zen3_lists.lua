-- An L3 that two of the lists of latency-bound access are certainly too large for, and not so large that they would take long.
return { arch = "zen3", l3 = { size = 4 << 20, ways = 16 } }
