! fade_picture [passes] - fades 2000 pixels in single precision, in place, into another picture: one weight for each.
program fade_picture
  implicit none
  integer, parameter :: n = 2000
  real(4), save :: picture(n), other(n)
  real(4) :: weight, keep
  integer :: passes, pass, i
  passes = argument(1, 12000)
  do i = 1, n
    picture(i) = 1 + mod(i, 97) * 0.01
    other(i) = 2 - mod(i, 31) * 0.02
  end do
  do pass = 1, passes
    picture(1 + mod(pass, n)) = 1.5
    weight = 0.01 + 0.5 * real(pass) / passes
    keep = 1 - weight
    do i = 1, n
      picture(i) = keep * picture(i) + weight * other(i)
    end do
  end do
  print '(es12.4)', picture(1) + picture(n)
contains
  include 'argument.inc'
end program
