! SPDX-License-Identifier: BSD-3-Clause
! first.f90 - the first transfer of a unit, however that was opened: its format has records,
! or none though it has a slash.
program first
  implicit none
  character(len=10) :: line
  integer :: u

  write (6, '(/A/)') 'first'
  read (5, '(/A)') line
  ! the text may have a slash
  open (10, file='one', status='replace')
  write (10, '(''1/2'')')
  close (10)
  open (10, file='one', position='append')
  write (10, '(/ ''more'' / A)') 'end'
  ! another file, or the same
  open (10, file='two', status='replace')
  write (10, '(/A)') 'two'
  open (10, file='two', position='asis')
  write (10, '(/A)') 'two'
  open (10, file='two', position='rewind')
  read (10, '(/A)') line
  close (10)
  ! units that the runtime chooses, and that it connects by itself
  open (newunit=u, file='two', status='old', position='APPEND  ')
  write (u, '(/)')
  close (u)
  open (newunit=u, file='two', status='old')
  read (u, '(/A)') line
  close (u)
  write (11, '(/A)') 'fort'
  rewind (11)
  read (11, '(/A)') line
  close (11, status='delete')
  write (11, '(/A)') 'fort'
  close (11, status='delete')
  open (12, file='three', status='replace', access='stream', form='formatted')
  write (12, '(A)', pos=5) 'at'
  write (12, '(/A)', pos=2) 'x'
  close (12)
  ! a place that is not known, then one that is
  open (13, file='two')
  backspace (13)
  read (13, '(/A)') line
  close (13)
  open (13, file='two')
  rewind (13)
  read (13, '(/A)') line
  close (13)
  ! numbers that share a place in the tables
  open (20, file='four', status='replace')
  open (1044, file='five', status='replace')
  write (1044, '(A)') 'line'
  write (20, '(/A)') 'line'
  write (20, '(A)') 'line'
end program first
