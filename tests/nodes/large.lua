-- A node file names only what differs: slices of the last level eight times as large.
return { arch = "haswellEP", l3 = { size = 20480 << 10 } }
