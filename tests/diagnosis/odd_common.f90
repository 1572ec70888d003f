! odd_common [passes] - adds up 8-byte integers behind a 4-byte header; the unit of 64 bytes puts each over a line's end.
program odd_common
  use iso_c_binding
  implicit none
  integer, parameter :: n = 256
  character(1), target, allocatable :: bytes(:)
  integer(8), pointer :: even, odd
  integer(8) :: sum_even, sum_odd
  integer :: passes, pass, i, first
  character(16) :: text
  passes = 12000
  call get_command_argument(1, text)
  if (text /= '') read (text, *) passes
  allocate (bytes(64 * n + 128))
  bytes = 'a'
  first = int(61 - iand(transfer(c_loc(bytes), 0_8), 63_8))
  sum_even = 0
  sum_odd = 0
  do pass = 1, passes
    bytes(first + 8 + 64 * iand(pass, 127)) = achar(iand(pass, 127))
    do i = 0, n - 2, 2
      call c_f_pointer(c_loc(bytes(first + 64 * i)), even)
      call c_f_pointer(c_loc(bytes(first + 64 * i + 64)), odd)
      sum_even = sum_even + even
      sum_odd = sum_odd + odd
    end do
  end do
  print '(i0)', sum_even + sum_odd
end program
