! SPDX-License-Identifier: BSD-3-Clause
! fortran-async.f90 - transfers that the runtime's thread makes.
program async
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function mkfifo(path, mode) bind(c)
      import
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: mode
    end function
    type(c_ptr) function fopen(path, mode) bind(c)
      import
      character(kind=c_char), intent(in) :: path(*), mode(*)
    end function
    integer(c_int) function fputs(text, file) bind(c)
      import
      character(kind=c_char), intent(in) :: text(*)
      type(c_ptr), value :: file
    end function
    integer(c_int) function fclose(file) bind(c)
      import
      type(c_ptr), value :: file
    end function
  end interface
  integer :: x(1000), y(100), id, i, ios
  type(c_ptr) :: writer
  character(len=5) :: line

  id = 0
  x = 1
  y = 2
  ! the first of all statements finds out how the runtime's memory looks
  open (14, file='stream.bin', form='unformatted', access='stream', asynchronous='yes', status='replace')
  write (14, asynchronous='yes', id=id) x
  wait (14, id=id)
  do i = 1, 3
    write (14, asynchronous='yes') y
  end do
  wait (14)
  read (14, pos=4001, asynchronous='yes') y
  wait (14)
  ! not left to the thread
  write (14) y
  close (14)

  open (15, file='lines.txt', asynchronous='yes', status='replace')
  write (15, '(A5)', asynchronous='yes') 'first', 'other'
  write (15, *, asynchronous='yes') 'text', 5
  rewind (15)
  read (15, '(A5)', asynchronous='yes') line
  wait (15)
  close (15)

  open (16, file='records.bin', form='unformatted', asynchronous='yes', status='replace')
  write (16, asynchronous='yes') x
  write (16, asynchronous='yes') y
  rewind (16)
  read (16, asynchronous='yes') x
  close (16)

  open (17, file='direct.bin', form='unformatted', access='direct', recl=400, asynchronous='yes', &
    status='replace')
  write (17, rec=3, asynchronous='yes') y
  write (17, rec=1, asynchronous='yes') y
  read (17, rec=3, asynchronous='yes') y
  close (17)

  ! the end of the file: what is asked for behind it is never done.  It comes when all has been
  ! asked for; with an argument before, since without a thread nobody would bring it.
  if (mkfifo('lines.fifo' // c_null_char, int(o'600', c_int)) /= 0) stop 1
  writer = fopen('lines.fifo' // c_null_char, 'r+' // c_null_char)
  if (fputs('first' // new_line('') // 'other' // new_line('') // 'third' // new_line('') // c_null_char, writer) < 0) stop 1
  open (18, file='lines.fifo', action='read', asynchronous='yes')
  if (command_argument_count() > 0) ios = fclose(writer)
  do i = 1, 5
    read (18, '(A5)', asynchronous='yes', iostat=ios) line
  end do
  if (command_argument_count() == 0) ios = fclose(writer)
  wait (18, iostat=ios)
  print *, ios
  close (18)

  ! a unit that has no thread
  open (19, file='plain.txt', status='replace')
  write (19, '(A5)', asynchronous='yes', iostat=ios) line
  print *, ios
  close (19)
end program async
