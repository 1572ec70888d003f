! enzyme_rates [passes] - rates of 512 reversible reactions by Michaelis and Menten; 16 KiB in L1.
program enzyme_rates
  implicit none
  integer, parameter :: n = 512
  real(8), save :: substrate(n), product(n), constant(n), rate(n)
  integer :: passes, pass, i
  passes = argument(1, 12000)
  do i = 1, n
    substrate(i) = 1.5d0 + mod(i * 37, 101)
    product(i) = 0.3d0 + mod(i * 11, 17)
    constant(i) = 2 + 0.1d0 * mod(i * 5, 13)
  end do
  do pass = 1, passes
    call react(substrate, product, constant, rate)
  end do
  print '(es14.6)', sum(rate)
contains
  ! Forward and backward rate of each reaction are divisions of their own.
  subroutine react(s, p, k, v)
    real(8), intent(in) :: s(n), p(n), k(n)
    real(8), intent(out) :: v(n)
    integer :: i
    do i = 1, n
      v(i) = 3.1d0 * s(i) / (k(i) + s(i)) - p(i) / (0.7d0 + p(i))
    end do
  end subroutine
  include 'argument.inc'
end program
