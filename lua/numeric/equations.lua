-- equations.lua - solves a few linear equations by Gaussian elimination with pivoting.
-- SPDX-License-Identifier: GPL-3.0-or-later
local equations = {}

local LEAST = 1e-9 -- a smaller pivot, relative to the diagonal, is only rounding error: the equations are dependent

-- matrix = array of rows, square and symmetric (normal equations), right = array of numbers; both are overwritten -> the solution, or nil
-- if the equations are dependent.
function equations.solve(matrix, right)
    local n, diagonal = #right, {}
    for i = 1, n do
        diagonal[i] = math.abs(matrix[i][i])
    end
    for column = 1, n do
        local pivot = column
        for row = column + 1, n do
            pivot = math.abs(matrix[row][column]) > math.abs(matrix[pivot][column]) and row or pivot
        end
        matrix[column], matrix[pivot], right[column], right[pivot] = matrix[pivot], matrix[column], right[pivot], right[column]
        if math.abs(matrix[column][column]) <= LEAST * diagonal[column] then
            return nil
        end
        for row = column + 1, n do
            local share = matrix[row][column] / matrix[column][column]
            for k = column, n do
                matrix[row][k] = matrix[row][k] - share * matrix[column][k]
            end
            right[row] = right[row] - share * right[column]
        end
    end
    for row = n, 1, -1 do
        for k = row + 1, n do
            right[row] = right[row] - matrix[row][k] * right[k]
        end
        right[row] = right[row] / matrix[row][row]
    end
    return right
end

return equations
