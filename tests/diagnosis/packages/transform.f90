! transform.f90 - Fourier transforms of 256 complex numbers by a packaged FFTW. SPDX-License-Identifier: GPL-3.0-or-later
program transform
  implicit none
  integer, parameter :: n = 256, forward = -1, estimate = 64
  double complex :: from(n), to(n)
  integer(8) :: plan
  integer :: pass
  call dfftw_plan_dft_1d(plan, n, from, to, forward, estimate)
  from = (1d0, 0.5d0)
  do pass = 1, 4000
    call dfftw_execute_dft(plan, from, to)
  end do
  print *, to(1)
end program
