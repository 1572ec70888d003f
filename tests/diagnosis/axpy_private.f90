! axpy_private [threads] [passes] - each OpenMP thread adds multiples of private vectors of 4 KiB in L1.
program axpy_private
  use omp_lib
  implicit none
  real(8) :: x(512), y(512)
  real(8) :: total
  integer :: threads, passes, i, pass
  threads = argument(1, 2)
  passes = argument(2, 16000) / threads
  total = 0
  call omp_set_num_threads(threads)
  !$omp parallel private(x, y, pass, i) reduction(+:total)
  x = 1
  y = 0
  do pass = 1, passes
    do i = 1, 512
      y(i) = y(i) + pass * x(i)
    end do
  end do
  total = y(7)
  !$omp end parallel
  print '(es14.6)', total
contains
  include 'argument.inc'
end program
