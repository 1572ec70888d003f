! mesh_walk [thousand steps] - a particle walks through a mesh of 64-byte cells in scrambled order; a random number picks the face.
program mesh_walk
  implicit none
  integer, parameter :: cells = 524288
  integer(4), allocatable :: cell(:, :)
  integer(8) :: random, path, i, at
  integer :: steps
  steps = argument(1, 1500) * 1000
  allocate (cell(0:15, 0:cells - 1))
  ! Faces 0 to 3 lead to other cells by four permutations; word 4 is the length of the path through the cell.
  do i = 0, cells - 1
    cell(0, i) = int(iand(1664525 * i + 1013904, cells - 1_8))
    cell(1, i) = int(iand(22695477 * i + 54321, cells - 1_8))
    cell(2, i) = int(iand(69069 * i + 12345, cells - 1_8))
    cell(3, i) = int(iand(1103515245 * i + 98765, cells - 1_8))
    cell(4, i) = int(iand(i, 15_8))
  end do
  random = 1
  path = 0
  at = 0
  do i = 1, steps
    random = iand(random * 1103515245 + 12345, 2147483647_8)
    at = cell(ishft(random, -29), at)
    path = path + cell(4, at)
  end do
  print '(i0)', path
contains
  include 'argument.inc'
end program
