! SPDX-License-Identifier: BSD-3-Clause
! fortran-nested.f90 - statements within statements, internal I/O among them, errors of all
! kinds, and how a program ends.  Argument: how it is to end.
module parts
  implicit none
  type pair
    integer :: x = 0, y = 0
  contains
    procedure :: write_text, read_text, write_bytes
    generic :: write(formatted) => write_text
    generic :: read(formatted) => read_text
    generic :: write(unformatted) => write_bytes
  end type pair
contains
  ! child statements, and internal I/O between them
  subroutine write_text(this, unit, iotype, vlist, iostat, iomsg)
    class(pair), intent(in) :: this
    integer, intent(in) :: unit
    character(len=*), intent(in) :: iotype
    integer, intent(in) :: vlist(:)
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg
    character(len=8) :: text

    if (iotype == 'LISTDIRECTED' .and. size(vlist) > 0) iomsg = 'odd'
    write (text, '(I4.4)', iostat=iostat) this%x
    write (unit, '(A)', iostat=iostat) trim(text)
    write (text, '(I4.4)', iostat=iostat) this%y
    write (unit, '(A)', iostat=iostat) trim(text)
  end subroutine write_text

  subroutine read_text(this, unit, iotype, vlist, iostat, iomsg)
    class(pair), intent(inout) :: this
    integer, intent(in) :: unit
    character(len=*), intent(in) :: iotype
    integer, intent(in) :: vlist(:)
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg

    if (iotype == 'LISTDIRECTED' .and. size(vlist) > 0) iomsg = 'odd'
    read (unit, '(I4)', iostat=iostat) this%x
    read (unit, '(I4)', iostat=iostat) this%y
  end subroutine read_text

  subroutine write_bytes(this, unit, iostat, iomsg)
    class(pair), intent(in) :: this
    integer, intent(in) :: unit
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg

    write (unit, iostat=iostat, iomsg=iomsg) this%x
    write (unit, iostat=iostat, iomsg=iomsg) this%y
  end subroutine write_bytes

  ! for I/O lists: internal I/O only
  function as_text(n) result(text)
    integer, intent(in) :: n
    character(len=6) :: text, room*8
    type(pair) :: p

    p%x = n
    write (room, '(DT)') p
    write (text, '(I6)') n
    read (text, *) p%x
  end function as_text

  ! for I/O lists: writes to the next unit, and so on
  recursive function deeper(n) result(depth)
    integer, intent(in) :: n
    integer :: depth

    depth = n
    if (n < 23) write (n + 1, '(I0)') deeper(n + 1)
  end function deeper
end module parts

program nested
  use parts
  implicit none
  character(len=20) :: line, how
  type(pair) :: p
  integer :: i, ios, n
  namelist /group/ n

  p = pair(5, 7)
  open (10, file='text.txt', status='replace')
  write (10, '(DT)') p
  write (10, '(A,DT,A)') as_text(1), p, as_text(2)
  rewind (10)
  read (10, '(DT)') p
  close (10)

  open (11, file='bytes.bin', form='unformatted', status='replace')
  write (11) p, p
  close (11)

  do i = 20, 23
    write (line, '(A,I0)') 'unit', i
    open (i, file=line, status='replace')
  end do
  write (20, '(I0)') deeper(20)

  ! errors: with a number, or only somewhere to go
  open (12, file='errors.txt', status='replace')
  write (12, '(A)') 'word'
  rewind (12)
  read (12, *, iostat=ios) n
  read (12, '(I4)', end=1) n
  print *, 'not here'
1 rewind (12)
  read (12, '(I4)', err=2) n
  print *, 'not here'
2 rewind (12)
  read (12, nml=group, iostat=ios)
  write (12, rec=1, iostat=ios) n
  backspace (12, iostat=ios)
  close (12, status='bad', iostat=ios)
  rewind (12, err=3)
3 continue
  open (12, file='errors.txt', access='wrong', iostat=ios)
  open (13, file='errors.txt', form='unformatted', access='direct', iostat=ios)

  ! no I/O of this process
  inquire (iolength=n) p%x, as_text(3)
  call execute_command_line('echo from the shell >shell.txt')

  call get_command_argument(1, how)
  write (10, '(A)') 'in a buffer'
  if (how == 'stop') stop
  if (how == 'error') error stop 3
end program nested
