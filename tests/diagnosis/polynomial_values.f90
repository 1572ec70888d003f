! polynomial_values [passes] - a polynomial of degree 7 at 1024 points in L1.
program polynomial_values
  implicit none
  integer, parameter :: n = 1024
  real(8) :: x(n), y(n)
  integer :: passes, i, pass
  character(16) :: text
  passes = 4000
  call get_command_argument(1, text)
  if (text /= '') read (text, *) passes
  do i = 1, n
    x(i) = i * 1d-4
  end do
  do pass = 1, passes
    x(1 + mod(pass, n)) = pass * 1d-7
    call evaluate(x, y)
  end do
  print '(es14.6)', sum(y)
contains
  subroutine evaluate(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: k
    do k = 1, n
      y(k) = 1 + x(k) * (2d0 + x(k) * (3d0 + x(k) * (4d0 + x(k) * (5d0 + x(k) * (6d0 + x(k) * (7d0 + x(k) * 8d0))))))
    end do
  end subroutine
end program
