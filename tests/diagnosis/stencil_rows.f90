! stencil_rows [threads] [columns] - Jacobi sweeps over two arrays of 1024 doubles a column, columns dealt to threads.
program stencil_rows
  use omp_lib
  implicit none
  integer, parameter :: rows = 1024
  real(8), allocatable :: a(:, :), b(:, :)
  integer :: columns, threads, i, j, sweep
  threads = argument(1, 2)
  columns = argument(2, 2048)
  call omp_set_num_threads(threads)
  allocate (a(rows, columns), b(rows, columns))
  !$omp parallel do schedule(static)
  do j = 1, columns
    a(:, j) = real(j, 8)
    b(:, j) = 1
  end do
  do sweep = 1, 2
    !$omp parallel do schedule(static)
    do j = 2, columns - 1
      do i = 2, rows - 1
        b(i, j) = 0.25d0 * (a(i, j - 1) + a(i, j + 1) + a(i - 1, j) + a(i + 1, j))
      end do
    end do
    !$omp parallel do schedule(static)
    do j = 2, columns - 1
      do i = 2, rows - 1
        a(i, j) = 0.25d0 * (b(i, j - 1) + b(i, j + 1) + b(i - 1, j) + b(i + 1, j))
      end do
    end do
  end do
  print '(es14.6)', a(rows / 2, columns / 2)
contains
  include 'argument.inc'
end program
