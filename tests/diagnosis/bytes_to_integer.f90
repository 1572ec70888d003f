! bytes_to_integer [thousand integers] - stores four bytes, then loads them as one integer: no forwarding.
program bytes_to_integer
  use iso_c_binding
  implicit none
  integer(1), target, volatile :: bytes(4)
  integer(4), pointer, volatile :: whole
  integer(8) :: total
  integer :: n, i
  character(16) :: text
  n = 1000
  call get_command_argument(1, text)
  if (text /= '') read (text, *) n
  call c_f_pointer(c_loc(bytes), whole)
  total = 0
  do i = 1, n * 1000
    bytes(1) = int(iand(i, 127), 1)
    bytes(2) = int(iand(total, 127_8), 1)
    bytes(3) = 1
    bytes(4) = 2
    total = total + whole
  end do
  print '(i0)', total
end program
