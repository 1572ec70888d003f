! page_columns [columns] - adds up rows of a matrix with columns of 4160 bytes: 8192 lines that fit in a cache, on 8192 pages.
program page_columns
  implicit none
  integer(8), allocatable :: a(:, :)
  integer(8) :: even, odd
  integer :: columns, i, j
  character(16) :: text
  columns = 8192
  call get_command_argument(1, text)
  if (text /= '') read (text, *) columns
  allocate (a(520, columns))
  do j = 1, columns
    a(1:8, j) = j
  end do
  even = 0
  odd = 0
  do i = 1, 240
    do j = 1, columns, 2
      odd = odd + a(1 + iand(i, 7), j)
      even = even + a(1 + iand(i, 7), j + 1)
    end do
  end do
  print '(i0)', even + odd
end program
