! round_keys [passes] - adds a key to each of 1000 words of 64 bits, mixes its upper into its lower half, adds a constant.
program round_keys
  implicit none
  integer, parameter :: n = 1000
  integer(8), save :: state(n), keys(n)
  integer(8) :: mixed
  integer :: passes, pass, i
  passes = argument(1, 12000)
  do i = 1, n
    state(i) = i * 1234567_8
    keys(i) = ieor(i * 7654321_8, ishft(i * 40503_8, 40))
  end do
  do pass = 1, passes
    state(1 + mod(pass, n)) = pass
    do i = 1, n
      mixed = state(i) + keys(i)
      state(i) = ieor(mixed, ishft(mixed, -29)) + pass
    end do
  end do
  print '(i0)', ieor(sum(state), state(7))
contains
  include 'argument.inc'
end program
