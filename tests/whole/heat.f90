! heat.f90 STEPS - heat conduction on a square of 512 x 512 points, STEPS (even) of Jacobi's method. One thread.
!
! Closed form: a step reads one array and writes the other, 2 MB each, far more than L2; the three columns that a point
! needs stay in L1 (12 kB). Zeros are there without being written: the compiler has them from calloc.
!     lines into L1 = lines into L2 = STEPS * 2 * 512 * 512 * 8 / 64
!
! SPDX-License-Identifier: GPL-3.0-or-later
program heat
    implicit none
    integer, parameter :: n = 512
    real(8), allocatable :: old(:, :), new(:, :)
    integer :: steps, step, i, j
    character(len=16) :: argument
    call get_command_argument(1, argument)
    read (argument, *) steps
    allocate (old(n, n), new(n, n))
    old = 0
    new = 0
    old(1, :) = 1
    new(1, :) = 1
    do step = 1, steps, 2
        call sweep(old, new)
        call sweep(new, old)
    end do
    print '(es12.5)', old(2, n / 2)
contains
    subroutine sweep(from, to)
        real(8), intent(in) :: from(n, n)
        real(8), intent(inout) :: to(n, n)
        do j = 2, n - 1
            do i = 2, n - 1
                to(i, j) = 0.25d0 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1))
            end do
        end do
    end subroutine
end program
