! omp_maxima [threads] [thousand steps] - OpenMP threads write their latest values into neighbours of one array.
program omp_maxima
  use omp_lib
  implicit none
  integer(8), volatile :: latest(0:63)
  integer :: threads, steps, i, me
  threads = argument(1, 2)
  steps = argument(2, 5000) * 1000 / threads
  latest = 0
  call omp_set_num_threads(threads)
  !$omp parallel private(me, i)
  me = omp_get_thread_num()
  do i = 1, steps
    latest(me) = max(latest(me), int(i, 8))
  end do
  !$omp end parallel
  print '(i0)', sum(latest)
contains
  include 'argument.inc'
end program
