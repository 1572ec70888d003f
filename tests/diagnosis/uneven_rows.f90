! uneven_rows [threads] [passes] - OpenMP, static schedule; iteration i adds to the first 16 i of 4096 integers in private data.
program uneven_rows
  use omp_lib
  implicit none
  integer(8) :: total, mine(4096)
  integer :: threads, passes, i, pass
  threads = argument(1, 2)
  passes = argument(2, 100)
  total = 0
  call omp_set_num_threads(threads)
  !$omp parallel private(mine, pass) reduction(+:total)
  mine = 0
  do pass = 1, passes
    !$omp do schedule(static)
    do i = 1, 256
      mine(1:16 * i) = mine(1:16 * i) + i
    end do
    !$omp end do nowait
  end do
  total = sum(mine)
  !$omp end parallel
  print '(i0)', total
contains
  include 'argument.inc'
end program
