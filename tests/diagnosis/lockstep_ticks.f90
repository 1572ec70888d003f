! lockstep_ticks [threads] [ticks] - each thread moves its own 128 objects; the last one that arrives begins the next tick.
program lockstep_ticks
  use omp_lib
  use iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function sched_yield() bind(c)
      import c_int
    end function
  end interface
  integer(8) :: place(128), speed(128), total, clock, here
  integer(8), save :: shared(32) = 0 ! 9: arrivals, 25: the clock; in lines of their own
  integer :: threads, ticks, tick, i, spins
  threads = argument(1, 2)
  ticks = argument(2, 8000)
  total = 0
  call omp_set_num_threads(threads)
  !$omp parallel private(place, speed, tick, i, clock, here, spins) reduction(+:total)
  place = 1
  speed = omp_get_thread_num()
  do tick = 1, ticks
    !$omp atomic capture
    shared(9) = shared(9) + 1
    here = shared(9)
    !$omp end atomic
    if (here == int(tick, 8) * threads) then
      !$omp atomic write
      shared(25) = tick
    end if
    spins = 0
    do
      !$omp atomic read
      clock = shared(25)
      if (clock >= tick) exit
      spins = spins + 1
      if (mod(spins, 128) == 0) i = sched_yield()
    end do
    do i = 1, 128
      place(i) = place(i) + ieor(speed(i), clock)
    end do
  end do
  total = sum(place)
  !$omp end parallel
  print '(i0)', total
contains
  include 'argument.inc'
end program
