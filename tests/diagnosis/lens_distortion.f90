! lens_distortion [passes] - pixel coordinates of 1024 points behind a lens with radial and tangential distortion.
program lens_distortion
  implicit none
  integer, parameter :: n = 1024
  real(4), save :: x(n), y(n), u(n), v(n)
  integer :: passes, pass, i
  passes = argument(1, 14000)
  do i = 1, n
    x(i) = real(mod(i * 37, 101)) / 101 - 0.5
    y(i) = real(mod(i * 53, 103)) / 103 - 0.5
  end do
  do pass = 1, passes
    call project(x, y, u, v)
    x(1 + mod(pass, n)) = 0.25
  end do
  print '(es14.6)', sum(real(u, 8)) + sum(real(v, 8))
contains
  subroutine project(x, y, u, v)
    real(4), intent(in) :: x(n), y(n)
    real(4), intent(inout) :: u(n), v(n)
    real(4) :: xx, yy, xy, rr, radial
    integer :: i
    do i = 1, n
      xx = x(i) * x(i)
      yy = y(i) * y(i)
      xy = x(i) * y(i)
      rr = xx + yy
      radial = 1.02 + rr * (0.11 + rr * (-0.07 + rr * 0.013))
      u(i) = 319.5 + x(i) * radial + (0.003 * xy + 0.002 * (rr + 1.9 * xx))
      v(i) = 319.5 + y(i) * radial + (0.002 * xy + 0.003 * (rr + 1.9 * yy))
    end do
  end subroutine
  include 'argument.inc'
end program
