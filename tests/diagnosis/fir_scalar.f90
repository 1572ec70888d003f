! fir_scalar [passes] - filter with eight coefficients over 1024 values in L1, compiled without vectors.
program fir_scalar
  implicit none
  integer, parameter :: n = 1024
  real(8) :: x(n + 8), y(n), c(8)
  integer :: passes, pass, i
  character(16) :: text
  passes = 600
  call get_command_argument(1, text)
  if (text /= '') read (text, *) passes
  x = 1
  do i = 1, 8
    c(i) = 1d0 / i
  end do
  do pass = 1, passes
    x(1 + mod(pass, n)) = pass
    do i = 1, n
      y(i) = (c(1) * x(i) + c(2) * x(i + 1)) + (c(3) * x(i + 2) + c(4) * x(i + 3)) &
             + ((c(5) * x(i + 4) + c(6) * x(i + 5)) + (c(7) * x(i + 6) + c(8) * x(i + 7)))
    end do
  end do
  print '(es14.6)', sum(y)
end program
