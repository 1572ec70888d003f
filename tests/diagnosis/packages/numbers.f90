! numbers.f90 - reads numbers from text by gfortran's run-time library. SPDX-License-Identifier: GPL-3.0-or-later
program numbers
  implicit none
  character(48) :: line
  double precision :: values(3), total
  integer :: pass
  total = 0
  do pass = 1, 1000
    write (line, '(3f16.6)') pass * 0.37d0, pass * 11.1d0, pass * 97.3d0
    read (line, *) values
    total = total + sum(values)
  end do
  print *, total
end program
