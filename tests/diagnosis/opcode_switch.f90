! opcode_switch [thousand steps] - a small interpreter; eight random opcodes choose the case.
program opcode_switch
  implicit none
  integer(8) :: state, x, y
  integer :: steps, i
  character(16) :: text
  steps = 1000
  call get_command_argument(1, text)
  if (text /= '') read (text, *) steps
  state = 88172645463325252_8
  x = 1
  y = 2
  do i = 1, steps * 1000
    state = ieor(state, ishft(state, 13))
    state = ieor(state, ishft(state, -7))
    state = ieor(state, ishft(state, 17))
    select case (iand(state, 7_8))
    case (0)
      x = x + y
    case (1)
      y = ieor(x, y)
    case (2)
      x = ishft(x, -1)
    case (3)
      y = iand(y + 17, 65535_8)
    case (4)
      x = ieor(x, 255_8)
      y = y + 1
    case (5)
      y = ior(y, x)
    case (6)
      x = iand(x, 1048575_8)
    case default
      x = y - x
    end select
  end do
  print '(i0)', iand(x + y, 65535_8)
end program
