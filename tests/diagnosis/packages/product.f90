! product.f90 - products of 24 x 24 matrices by dgemm of a packaged BLAS. SPDX-License-Identifier: GPL-3.0-or-later
program product
  implicit none
  integer, parameter :: n = 24
  double precision :: a(n, n), b(n, n), c(n, n)
  integer :: pass
  a = 0.5d0
  b = 0.25d0
  c = 0
  do pass = 1, 6000
    call dgemm('N', 'N', n, n, n, 1d0, a, n, b, n, 1d0, c, n)
  end do
  print *, sum(c)
end program
