! SPDX-License-Identifier: BSD-3-Clause
! errors.f90 - writes to standard output and standard error in turn.
program errors
  implicit none
  integer :: status

  print '(a)', 'one'
  write (0, '(a)') 'errr'
  print '(a)', 'two'
  flush (6)
  write (0, '(a)') 'errrr'
  call fput('x', status)
  call fput('y', status)
  write (0, '(a)') 'errrrr'
  print '(a)', 'three'
  flush (6)
end program errors
