! intrinsic.f90 - products of matrices by the intrinsic function of gfortran's run-time library. SPDX-License-Identifier: GPL-3.0-or-later
program intrinsic
  implicit none
  integer, parameter :: n = 32
  double precision, allocatable :: a(:, :), b(:, :), c(:, :)
  integer :: pass
  allocate (a(n, n), b(n, n), c(n, n))
  a = 0.5d0
  b = 0.25d0
  do pass = 1, 1000
    c = matmul(a, b)
    a(1, mod(pass, n) + 1) = c(1, 1)
  end do
  print *, sum(c)
end program
