! alias_columns [passes] - moves columns of 4096 bytes one down and one to the right; load and store before it alias.
program alias_columns
  implicit none
  integer(8), volatile :: a(512, 4)
  integer :: passes, pass, i, j
  character(16) :: text
  passes = 1200
  call get_command_argument(1, text)
  if (text /= '') read (text, *) passes
  a = 1
  do pass = 1, passes
    do j = 1, 3
      do i = 1, 511
        a(i + 1, j + 1) = a(i, j) + 1
      end do
    end do
  end do
  print '(i0)', sum(a)
end program
