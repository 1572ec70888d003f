! refined_patches [threads] [passes] - 32 patches of 16 KiB in equal numbers; the last four are refined and take 16 times the steps.
program refined_patches
  use omp_lib
  implicit none
  integer, parameter :: cells = 2048, patches = 32
  real(8), save :: u(cells, patches)
  integer :: threads, passes, patch
  threads = argument(1, 2)
  passes = argument(2, 150)
  call omp_set_num_threads(threads)
  !$omp parallel do schedule(static)
  do patch = 1, patches
    call react(u(:, patch), merge(16, 1, patch > 28) * passes)
  end do
  print '(es14.6)', sum(u(7, :))
contains
  ! Steps of u' = u (1 - u), with a disturbance.
  subroutine react(u, steps)
    real(8), intent(inout) :: u(cells)
    integer, intent(in) :: steps
    integer :: step, i
    u = 0.01d0
    do step = 1, steps
      do i = 1, cells
        u(i) = u(i) + 0.001d0 * (u(i) - u(i) * u(i))
      end do
      u(1 + mod(step, cells)) = 0.5d0
    end do
  end subroutine
  include 'argument.inc'
end program
