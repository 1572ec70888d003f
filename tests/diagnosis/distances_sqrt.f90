! distances_sqrt [passes] - lengths of 512 vectors of two components in L1.
program distances_sqrt
  implicit none
  integer, parameter :: n = 512
  real(8) :: x(n), y(n), length(n)
  integer :: passes, pass, i
  character(16) :: text
  passes = 5000
  call get_command_argument(1, text)
  if (text /= '') read (text, *) passes
  do i = 1, n
    x(i) = i
    y(i) = n - i
  end do
  do pass = 1, passes
    x(1 + mod(pass, n)) = pass
    do i = 1, n
      length(i) = sqrt(x(i)**2 + y(i)**2)
    end do
    y(1 + mod(pass, n)) = length(n)
  end do
  print '(es14.6)', sum(length)
end program
