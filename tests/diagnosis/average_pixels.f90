! average_pixels [passes] - mean of two pictures of 1024 pixels, four colours of 8 bits in a word, all in L1.
program average_pixels
  implicit none
  integer, parameter :: n = 1024
  integer :: passes, pass, i
  type pictures
    sequence
    ! Means begin half a page further than the pictures, which are read before.
    integer :: one(n), two(n), gap(n / 2), mean(n)
  end type
  type(pictures), save :: p
  passes = argument(1, 18000)
  do i = 1, n
    p%one(i) = i * 40503
    p%two(i) = i * 30011 + 77
  end do
  do pass = 1, passes
    call average(p%one, p%two, p%mean)
  end do
  print '(i0)', ieor(sum(p%mean), p%mean(341))
contains
  ! Common bits, plus half of the bits that differ, without carry into the next colour.
  subroutine average(one, two, mean)
    integer, intent(in) :: one(n), two(n)
    integer, intent(out) :: mean(n)
    integer :: i
    do i = 1, n
      mean(i) = iand(one(i), two(i)) + shiftr(iand(ieor(one(i), two(i)), not(int(z'01010101'))), 1)
    end do
  end subroutine
  include 'argument.inc'
end program
