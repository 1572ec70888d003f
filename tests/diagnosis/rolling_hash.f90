! rolling_hash [passes] - polynomial hash of 2048 integers: multiplication, addition and mask of a step wait for the last step.
program rolling_hash
  implicit none
  integer(8) :: text(2048), hash
  integer :: passes, pass, i
  character(16) :: word
  passes = 1500
  call get_command_argument(1, word)
  if (word /= '') read (word, *) passes
  do i = 1, 2048
    text(i) = iand(i * 37, 127)
  end do
  hash = 7
  do pass = 1, passes
    do i = 1, 2048
      hash = iand(hash * 1000003_8 + text(i), 2147483647_8)
    end do
  end do
  print '(i0)', hash
end program
