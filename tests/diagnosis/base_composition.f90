! base_composition [threads] [passes] - OpenMP; each thread counts the four bases of its own read in its column of one array.
program base_composition
  use omp_lib
  implicit none
  integer, save :: counts(0:3, 0:7) = 0
  integer :: bases(1024), threads, passes, pass, me, i
  threads = argument(1, 2)
  passes = argument(2, 6000) / threads
  if (threads > 8) error stop 'at most 8 threads'
  call omp_set_num_threads(threads)
  !$omp parallel private(bases, pass, me, i)
  me = omp_get_thread_num()
  do i = 1, 1024
    bases(i) = iand(i * 5 + i / 4, 3)
  end do
  do pass = 1, passes
    do i = 1, 1024
      counts(bases(i), me) = counts(bases(i), me) + 1
    end do
  end do
  !$omp end parallel
  print '(i0)', sum(counts) + counts(1, 0)
contains
  include 'argument.inc'
end program
