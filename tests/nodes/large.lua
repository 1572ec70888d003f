-- A node file that says what is otherwise: slices of the last level eight times as large.
return { arch = "haswellEP", l3 = { size = 20480 << 10 } }
