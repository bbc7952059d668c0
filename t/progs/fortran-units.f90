! SPDX-License-Identifier: BSD-3-Clause
! fortran-units.f90 - statements that only know a unit, before any has transferred data.
program units
  implicit none
  integer :: u, v, ios
  logical :: opened
  character(len=20) :: line

  ! pre-connected
  flush (6)
  flush (0)
  inquire (5, opened=opened)
  ! each of these is the first after an OPEN
  open (10, file='one.txt', status='replace')
  rewind (10)
  close (10)
  open (10, file='two.txt', status='replace')
  endfile (10)
  close (10)
  open (newunit=u, file='three.txt', status='replace')
  flush (u)
  open (newunit=v, file='four.txt', status='replace')
  backspace (v)
  close (u)
  inquire (v, opened=opened)
  close (v)
  ! reconnected to another file, and to the same
  open (11, file='one.txt')
  open (11, file='two.txt')
  flush (11)
  open (11, file='two.txt', blank='zero')
  flush (11)
  close (11, status='delete')
  open (12, status='scratch')
  rewind (12)
  close (12)
  ! named for the unit
  open (13)
  rewind (13)
  close (13, status='delete')
  write (14, *) 'named for the unit'
  rewind (14)
  close (14, status='delete')
  ! none is connected
  close (15)
  flush (15, iostat=ios)
  inquire (15, opened=opened)
  inquire (file='one.txt', opened=opened)
  inquire (iolength=ios) u, v
  ! closed, and connected again
  close (6)
  open (6, file='out.txt', status='replace')
  write (6, *) ios
  close (6)
  read (5, '(A)', iostat=ios) line
  ! formatted streams
  open (16, file='stream.txt', access='stream', form='formatted', status='replace')
  write (16, '(A)') 'line'
  read (16, '(A)', pos=3) line
  close (16)
end program units
