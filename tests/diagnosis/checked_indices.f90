! checked_indices [passes] - y(row(i)) = y(row(i)) + s * x(column(i)) with needless checks of bounds and needless index arrays.
program checked_indices
  implicit none
  integer, parameter :: n = 1024
  real(8) :: x(n), y(n)
  integer :: row(n), column(n), passes, pass, i
  character(16) :: text
  passes = 900
  call get_command_argument(1, text)
  if (text /= '') read (text, *) passes
  do i = 1, n
    x(i) = i
    y(i) = 0
    row(i) = i
    column(i) = 1 + mod(i + 16, n)
  end do
  do pass = 1, passes
    do i = 1, n
      y(row(i)) = y(row(i)) + 0.5d0 * x(column(i))
    end do
  end do
  print '(es14.6)', sum(y)
end program
