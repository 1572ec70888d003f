! factors.f90 - LU factorisations by dgetrf of a packaged LAPACK. SPDX-License-Identifier: GPL-3.0-or-later
program factors
  implicit none
  integer, parameter :: n = 96
  double precision :: a(n, n), matrix(n, n)
  integer :: pivots(n), i, j, pass, info
  do j = 1, n
    do i = 1, n
      matrix(i, j) = mod(i * 37 + j * 91, 101) / 101d0 + merge(10d0, 0d0, i == j)
    end do
  end do
  do pass = 1, 60
    a = matrix
    call dgetrf(n, n, a, n, pivots, info)
  end do
  print *, a(n, n), info
end program
