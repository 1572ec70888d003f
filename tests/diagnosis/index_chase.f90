! index_chase [lines] - follows indices, one in a line of 64 bytes, in pseudo-random order; lines is a power of two.
program index_chase
  implicit none
  integer(8), allocatable :: next(:, :)
  integer(8) :: lines, i, at
  character(16) :: text
  lines = 32768
  call get_command_argument(1, text)
  if (text /= '') read (text, *) lines
  allocate (next(0:7, 0:lines - 1))
  do i = 0, lines - 1
    next(:, i) = iand(69069 * i + 12345, lines - 1)
  end do
  at = 0
  do i = 1, 3000000
    at = next(0, at)
  end do
  print '(i0)', at
end program
