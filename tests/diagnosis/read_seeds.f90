! read_seeds [thousand reads] - smallest two hashes of the seeds of many reads; a read has 128 bytes, its seed 8 of them.
program read_seeds
  implicit none
  integer(8), allocatable :: reads(:, :)
  integer(8) :: hash, first, second
  integer :: n, sweep, i
  n = argument(1, 256) * 1024
  allocate (reads(16, n))
  do i = 1, n
    reads(5, i) = ieor(i * 2654435761_8, ishft(i * 40503_8, 20))
  end do
  first = huge(first)
  second = huge(second)
  do sweep = 1, 8
    do i = 1, n, 2
      hash = ieor(reads(5, i), sweep * 1234567891_8)
      first = min(first, hash)
      hash = ieor(reads(5, i + 1), sweep * 987654321_8)
      second = min(second, hash)
    end do
  end do
  print '(i0)', ieor(first, second)
contains
  include 'argument.inc'
end program
