! agreement_counts [thousand tables] - how often two raters agree: the diagonals of many tables of 16 x 16 counts.
program agreement_counts
  implicit none
  integer, allocatable :: counts(:, :, :)
  integer :: agreed(4), n, sweep, i, j
  n = argument(1, 48) * 1024
  allocate (counts(16, 16, n))
  do i = 1, n
    do j = 1, 16
      counts(j, j, i) = iand(i, 255) + j
    end do
  end do
  agreed = 0
  do sweep = 1, 8
    call agree(counts, agreed)
  end do
  print '(i0)', agreed(1) + 2 * agreed(2) + 3 * agreed(3) + 5 * agreed(4)
contains
  ! A column of a table is a line of the cache, of which the diagonal needs 4 bytes.
  subroutine agree(counts, agreed)
    integer, intent(in) :: counts(16, 16, n)
    integer, intent(inout) :: agreed(4)
    integer :: a, b, c, d, i
    a = agreed(1) + sweep
    b = agreed(2)
    c = agreed(3)
    d = agreed(4)
    do i = 1, n
      a = a + counts(1, 1, i) + counts(2, 2, i) + counts(3, 3, i) + counts(4, 4, i)
      b = b + counts(5, 5, i) + counts(6, 6, i) + counts(7, 7, i) + counts(8, 8, i)
      c = c + counts(9, 9, i) + counts(10, 10, i) + counts(11, 11, i) + counts(12, 12, i)
      d = d + counts(13, 13, i) + counts(14, 14, i) + counts(15, 15, i) + counts(16, 16, i)
    end do
    agreed = [a, b, c, d]
  end subroutine
  include 'argument.inc'
end program
