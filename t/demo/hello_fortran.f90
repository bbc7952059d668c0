! SPDX-License-Identifier: BSD-3-Clause
! hello_fortran.f90 - writes a line, and reads it again.
program hello_fortran
  implicit none
  character(len=20) :: line

  open (10, file='fortran.txt', status='replace')
  write (10, '(A)') 'Hello from Fortran'
  rewind (10)
  read (10, '(A)') line
  close (10)
end program hello_fortran
