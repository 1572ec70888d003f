! column_walk [columns] - adds up the rows of a matrix whose columns are contiguous: each element lies in another line.
program column_walk
  implicit none
  integer, parameter :: rows = 16
  integer(8), allocatable :: a(:, :)
  integer(8) :: even, odd
  integer :: columns, i, j
  character(16) :: text
  columns = 98304
  call get_command_argument(1, text)
  if (text /= '') read (text, *) columns
  allocate (a(rows, columns))
  do j = 1, columns
    a(:, j) = j
  end do
  even = 0
  odd = 0
  do i = 1, 2 * rows
    do j = 1, columns, 2
      odd = odd + a(1 + mod(i, rows), j)
      even = even + a(1 + mod(i, rows), j + 1)
    end do
  end do
  print '(i0)', even + odd
end program
