! cyclic_bodies [threads] [steps] - 256 bodies of 32 bytes drift; thread t moves the bodies t, t + threads, t + 2 threads ...
program cyclic_bodies
  use omp_lib
  implicit none
  integer, parameter :: n = 256
  real(8), save :: body(4, n), velocity(4, n)
  integer :: threads, steps, i
  threads = argument(1, 2)
  steps = argument(2, 14000)
  do i = 1, n
    body(:, i) = mod(i * 37, 101)
    velocity(:, i) = mod(i * 53, 103) - 51
  end do
  call omp_set_num_threads(threads)
  !$omp parallel
  call drift(omp_get_thread_num() + 1)
  !$omp end parallel
  print '(es14.6)', sum(body)
contains
  ! No thread reads what another one writes.
  subroutine drift(first)
    integer, intent(in) :: first
    integer :: step, i
    real(8) :: time
    do step = 1, steps
      time = 1d-3 * mod(step, 2)
      do i = first, n, threads
        body(1, i) = body(1, i) + time * velocity(1, i)
        body(2, i) = body(2, i) + time * velocity(2, i)
        body(3, i) = body(3, i) + time * velocity(3, i)
        body(4, i) = body(4, i) + time * velocity(4, i)
      end do
    end do
  end subroutine
  include 'argument.inc'
end program
