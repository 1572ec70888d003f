! normalise_spins [passes] - 512 classical spins of three components turn towards a field and are scaled to length 1, in L1.
program normalise_spins
  implicit none
  integer, parameter :: n = 512
  real(8) :: x(n), y(n), z(n), scale, up
  integer :: passes, pass, i
  passes = argument(1, 9000)
  do i = 1, n
    x(i) = i
    y(i) = n + 1 - i
    z(i) = -0.5d0 * i
  end do
  do pass = 1, passes
    do i = 1, n
      up = z(i) + 1d-4
      scale = 1 / sqrt(x(i) * x(i) + y(i) * y(i) + up * up)
      x(i) = x(i) * scale
      y(i) = y(i) * scale
      z(i) = up * scale
    end do
    x(1 + mod(pass, n)) = 2
  end do
  print '(es14.6)', sum(z)
contains
  include 'argument.inc'
end program
