! cyclic_start [threads] [columns] - threads fill columns of 4096 bytes in turn, then work on blocks.
program cyclic_start
  use omp_lib
  implicit none
  integer(8), allocatable :: a(:, :)
  integer(8) :: total
  integer :: threads, columns, j, sweep
  threads = argument(1, 2)
  columns = argument(2, 8192)
  allocate (a(512, columns))
  call omp_set_num_threads(threads)
  !$omp parallel do schedule(static, 1)
  do j = 1, columns
    a(:, j) = j
  end do
  do sweep = 1, 4
    !$omp parallel do schedule(static)
    do j = 1, columns
      a(:, j) = a(:, j) + sweep
    end do
  end do
  total = 0
  do j = 1, columns, 64
    total = total + a(5, j)
  end do
  print '(i0)', total
contains
  include 'argument.inc'
end program
