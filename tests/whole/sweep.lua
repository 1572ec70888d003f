-- sweep.lua - luajit sweep.lua N: sums 2^17 numbers up, 2^14 lines, N times, in machine code that LuaJIT makes.
-- SPDX-License-Identifier: GPL-3.0-or-later
local ffi = require("ffi")
local elements, sum = 2 ^ 17, 0
local x = ffi.new("double[?]", elements)
for _ = 1, tonumber(arg[1]) do
    for i = 0, elements - 1 do
        sum = sum + x[i]
    end
end
print(sum)
