! settle_columns [passes] - sediment settles through 28 levels of 64 columns, 14 KiB a field, in L1.
program settle_columns
  implicit none
  integer, parameter :: columns = 64, n = columns * 28
  real(8), save :: field(n, 2)
  integer :: passes, pass, i
  passes = argument(1, 4800)
  do i = 1, n
    field(i, :) = mod(i * 37, 101)
  end do
  do pass = 1, passes
    call settle(field(:, 1), field(:, 2))
    call settle(field(:, 2), field(:, 1))
  end do
  print '(es14.6)', sum(field)
contains
  ! A quarter of each cell comes from the level above.
  ! The fields begin half a page apart: no load has the page offset of a recent store.
  subroutine settle(from, to)
    real(8), intent(in) :: from(n)
    real(8), intent(inout) :: to(n)
    integer :: i
    do i = columns + 1, n
      to(i) = 0.75d0 * from(i) + 0.25d0 * from(i - columns)
    end do
  end subroutine
  include 'argument.inc'
end program
