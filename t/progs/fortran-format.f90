! SPDX-License-Identifier: BSD-3-Clause
! fortran-format.f90 - formats with text before the first item, or without items, and
! with several records.
program formats
  implicit none
  integer :: i, n
  character(len=8) :: word

  write (6, '('' no items'')')
  do i = 1, 3
    write (6, '(/ '' text, then '', i4, '' and more'' // '' a record more'', i4)') i, i + 1
    write (6, '('' half a'')', advance='no')
    write (6, '('' record'', i2)', advance='no') i
    write (6, '('' and its end'')')
    write (6, '(//)')
  end do
  open (10, file='formats.txt', status='replace')
  write (10, '(''first '', i2)') 1
  write (10, '(/ / ''before '', i2)') 12
  write (10, '(''two records'' / ''of text'')')
  write (10, '(t10, ''right'', t1, ''left'', i3)') 7
  rewind (10)
  read (10, '(6x, i2, / / / 7x, i2)') i, n
  read (10, '(a)') word
  read (10, '(/ 4x, i3)') n
  close (10)
  open (11, file='direct.txt', access='direct', form='formatted', recl=20, status='replace')
  write (11, '(''record '', i3)', rec=1) 1
  write (11, '(''record '', i3)', rec=3) 3
  read (11, '(7x, i3)', rec=3) n
  close (11, status='delete')
  ! the first of a unit, which the runtime alone knows until then
  open (12, file='first.txt', status='replace')
  write (12, '(/ ''after a record '', i2)') 1
  write (12, '(/ ''after a record '', i2)') 2
  close (12, status='delete')
end program formats
