! axpy.f90 - each thread adds multiples of its own vectors, larger than its part of the caches, by daxpy of a packaged BLAS.
! SPDX-License-Identifier: GPL-3.0-or-later
program axpy
  implicit none
  integer, parameter :: n = 1048576
  double precision, allocatable :: x(:), y(:)
  double precision :: total
  integer :: pass
  total = 0
  !$omp parallel private(x, y, pass) reduction(+:total)
  allocate (x(n), y(n))
  x = 1
  y = 2
  do pass = 1, 6
    call daxpy(n, 0.5d0, x, 1, y, 1)
  end do
  total = total + y(n)
  !$omp end parallel
  print *, total
end program
