! terrain_light [passes] - brightness of a height map from its slopes, in single precision, compiled without vectors.
program terrain_light
  implicit none
  integer, parameter :: n = 900
  real(4), save :: light(n), heights(n + 2), across(n)
  integer :: passes, pass, i
  passes = argument(1, 3000)
  do i = 1, n
    heights(i) = 10 + mod(i * i, 97) * 0.1
    across(i) = mod(i * 7, 31) * 0.01
  end do
  heights(n + 1:) = 10
  do pass = 1, passes
    heights(1 + mod(pass, n)) = 12
    do i = 1, n
      light(i) = max(0.1, 0.7 - 0.25 * (heights(i + 2) - heights(i)) + 0.5 * across(i))
    end do
  end do
  print '(es12.4)', sum(light)
contains
  include 'argument.inc'
end program
