! fdtd_line [passes] - electric and magnetic field on a line of 2048 cells in single precision, compiled without vectors.
program fdtd_line
  implicit none
  integer, parameter :: n = 2048
  real(4), save :: field(0:2559, 2)
  integer :: passes, pass, i
  passes = argument(1, 1400)
  do i = 0, 2559
    field(i, :) = real(mod(i * 7, 11))
  end do
  do pass = 1, passes
    call leapfrog(field(:, 1), field(:, 2))
  end do
  print '(es14.6)', sum(abs(field(1:n, 1)))
contains
  subroutine leapfrog(e, h)
    real(4), intent(inout) :: e(0:2559), h(0:2559)
    integer :: i
    do i = 1, n
      e(i) = e(i) + 0.5 * (h(i) - h(i - 1))
    end do
    do i = 1, n
      h(i) = h(i) + 0.5 * (e(i + 1) - e(i))
    end do
  end subroutine
  include 'argument.inc'
end program
