-- sort.lua - sorts pseudo-random numbers: the comparisons' directions are random. SPDX-License-Identifier: GPL-3.0-or-later
local state, numbers = 1, {}
for i = 1, 8192 do
    state = (state * 1103515245 + 12345) % 2147483648
    numbers[i] = state
end
table.sort(numbers)
print(numbers[1])
