! row_then_column [threads] [columns] - each thread initialises a block of rows, then the columns of 32 KiB are dealt to threads.
program row_then_column
  use omp_lib
  implicit none
  integer, parameter :: rows = 4096, most = 2304
  real(8), save :: a(rows, most)
  integer :: threads, columns, first, last, j, sweep
  threads = argument(1, 2)
  columns = min(argument(2, most), most)
  call omp_set_num_threads(threads)
  !$omp parallel private(first, last, j, sweep)
  first = rows / threads * omp_get_thread_num() + 1
  last = first + rows / threads - 1
  do j = 1, columns
    a(first:last, j) = real(j, 8)
  end do
  !$omp barrier
  do sweep = 1, 4
    !$omp do schedule(static)
    do j = 1, columns
      a(:, j) = 0.5d0 * a(:, j) + sweep
    end do
  end do
  !$omp end parallel
  print '(es14.6)', a(1, 1) + a(rows, columns)
contains
  include 'argument.inc'
end program
