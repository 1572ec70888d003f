-- loop.lua - the interpreter executes the same twelve instructions again and again. SPDX-License-Identifier: GPL-3.0-or-later
local even, odd = 0, 1
for i = 1, 250000 do
    even, odd = even + i, odd ~ i
    even = even & 1048575
    odd = odd + even
end
print(even, odd)
