! omp_atomic [threads] [thousand steps] - OpenMP threads update one shared integer atomically.
program omp_atomic
  use omp_lib
  implicit none
  integer(8) :: total
  integer :: threads, steps, i
  threads = argument(1, 2)
  steps = argument(2, 1500) * 1000
  total = 0
  call omp_set_num_threads(threads)
  !$omp parallel do
  do i = 1, steps
    !$omp atomic
    total = total + i
  end do
  print '(i0)', total
contains
  include 'argument.inc'
end program
