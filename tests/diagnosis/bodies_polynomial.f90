! bodies_polynomial [passes] - forces between 64 bodies on a line that are a polynomial of their distance.
program bodies_polynomial
  implicit none
  integer, parameter :: n = 64
  real(8) :: x(n), force(n), d
  integer :: passes, pass, i, j
  character(16) :: text
  passes = 1000
  call get_command_argument(1, text)
  if (text /= '') read (text, *) passes
  do i = 1, n
    x(i) = i * 1d-2
  end do
  force = 0
  do pass = 1, passes
    do j = 1, n
      do i = 1, n
        d = x(i) - x(j)
        force(i) = force(i) + d * (1 - d * d * (0.5d0 - 0.1d0 * d * d))
      end do
    end do
  end do
  print '(es14.6)', force(1)
end program
