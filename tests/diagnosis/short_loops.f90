! short_loops [threads] [loops] - a parallel OpenMP loop over 512 integers, begun again and again.
program short_loops
  use omp_lib
  implicit none
  integer(8) :: a(512)
  integer :: threads, loops, i, loop
  threads = argument(1, 2)
  loops = argument(2, 3000)
  a = 0
  call omp_set_num_threads(threads)
  do loop = 1, loops
    !$omp parallel do schedule(static)
    do i = 1, 512
      a(i) = a(i) + loop
    end do
  end do
  print '(i0)', sum(a)
contains
  include 'argument.inc'
end program
