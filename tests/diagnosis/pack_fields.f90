! pack_fields [passes] - weather fields as whole numbers of a step, less the previous field: 2048 points, 24 KiB, in L1.
program pack_fields
  implicit none
  integer, parameter :: n = 2048
  real(4), save :: field(n)
  integer(4), save :: previous(n + 256), change(n + 256)
  integer :: passes, pass, i
  passes = argument(1, 18000)
  do i = 1, n
    field(i) = 273.15 + real(mod(i * 37, 101)) / 8
    previous(i) = mod(i * 53, 1009)
  end do
  do pass = 1, passes
    call pack(field, previous, change, 16.0, -4000.0)
    field(1 + mod(pass, n)) = 280 + mod(pass, 16)
  end do
  print '(i0)', sum(change(1:n))
contains
  subroutine pack(field, previous, change, scale, offset)
    real(4), intent(in) :: field(n), scale, offset
    integer(4), intent(in) :: previous(n)
    integer(4), intent(inout) :: change(n)
    integer :: i
    do i = 1, n
      change(i) = int(field(i) * scale + offset) - previous(i)
    end do
  end subroutine
  include 'argument.inc'
end program
