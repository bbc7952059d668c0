! SPDX-License-Identifier: BSD-3-Clause
! shared.f90 - reads two lines of standard input and writes three of standard output, in
! between them what a child says and reads.
program shared
  implicit none
  character(len=10) :: line

  read (*, '(A)') line
  print '(A)', 'one ' // trim(line)
  call execute_command_line('echo child; dd bs=1 count=3 of=/dev/null 2>/dev/null')
  print '(A/A)', 'two', 'lines'
  read (*, '(A)') line
  print *, line
  rewind (5)
  read (*, '(A)') line
  print '(A)', line
end program shared
