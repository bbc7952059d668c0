! SPDX-License-Identifier: BSD-3-Clause
! fortran.f90 - every statement that does I/O, with success and failure.
module shapes
  implicit none
  type point
    integer :: x, y
  contains
    procedure :: write_point
    generic :: write(formatted) => write_point
  end type point
contains
  ! defined I/O: child statements on the parent's unit
  recursive subroutine write_point(this, unit, iotype, vlist, iostat, iomsg)
    class(point), intent(in) :: this
    integer, intent(in) :: unit
    character(len=*), intent(in) :: iotype
    integer, intent(in) :: vlist(:)
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg

    if (iotype == 'LISTDIRECTED' .and. size(vlist) > 0) iomsg = 'odd'
    write (unit, '(A,I0,A,I0,A)', iostat=iostat) '<', this%x, ',', this%y, '>'
  end subroutine write_point

  ! a function that does I/O of its own, for I/O lists
  recursive function logged(n) result(twice)
    integer, intent(in) :: n
    integer :: twice

    write (30, '(A,I0)') 'asked for ', n
    twice = 2 * n
  end function logged
end module shapes

program statements
  use shapes
  implicit none
  integer :: u, i, ios, numbers(100), n
  real(8) :: a(10), b(10)
  logical :: exists
  character(len=40) :: line
  character(len=3) :: part
  type(point) :: p
  namelist /setup/ n, a

  numbers = [(i, i=1, 100)]
  a = 1.5d0
  n = 42
  p = point(3, 4)

  ! formatted, sequential
  open (10, file='formatted.txt', status='replace', action='readwrite')
  do i = 1, 3
    write (10, '(A,I0)') 'line ', i
  end do
  write (10, '(A)', advance='no') 'begun, '
  write (10, '(A)') 'done'
  write (10, *) numbers
  write (10, '(DT)') p
  rewind (10)
  read (10, '(A)') line
  print *, trim(line)
  read (10, '(A3)', advance='no', iostat=ios) part
  print *, part, ios
  do
    read (10, '(A3)', advance='no', eor=1, end=2) part
    cycle
1   exit
  end do
2 continue
  do
    read (10, '(A)', iostat=ios) line
    if (ios /= 0) exit
  end do
  print *, ios
  backspace (10)
  backspace (10)
  write (10, '(A)') 'behind'
  inquire (10, opened=exists, name=line)
  print *, exists
  flush (10)
  close (10)

  ! unformatted
  open (11, file='unformatted.bin', form='unformatted', status='replace')
  write (11) numbers
  write (11) a, n
  write (11)
  backspace (11)
  backspace (11)
  read (11) b, i
  print *, all(a == b), i
  endfile (11)
  close (11)

  ! direct
  open (12, file='direct.bin', form='unformatted', access='direct', recl=80, status='replace')
  do i = 3, 1, -1
    write (12, rec=i) a * i
  end do
  read (12, rec=2) b
  print *, b(1)
  read (12, rec=99, iostat=ios) b
  print *, ios /= 0
  close (12)

  ! stream
  open (newunit=u, file='stream.bin', form='unformatted', access='stream', status='replace')
  write (u) numbers
  read (u, pos=5) i
  print *, i
  close (u)

  ! namelist
  open (13, file='namelist.txt', status='replace')
  write (13, nml=setup)
  rewind (13)
  n = 0
  read (13, nml=setup)
  print *, n
  close (13)

  ! a function in the list that writes elsewhere
  open (30, file='other.txt', status='replace')
  print *, logged(5), logged(6)
  close (30)

  ! no I/O
  write (line, '(I5)') logged_nowhere(7)
  write (line, '(DT)') p
  print *, trim(line)

  ! what fails
  open (20, file='/nowhere/there', status='old', iostat=ios)
  print *, ios /= 0
  open (20, file='formatted.txt', status='new', iostat=ios)
  print *, ios /= 0
  inquire (file='nothing', exist=exists)
  print *, exists
  open (21, file='formatted.txt', status='old', action='read')
  write (21, '(A)', err=3) 'not to be written'
  print *, 'written'
3 continue
  close (21, status='keep')
  open (22, status='scratch')
  write (22, *) 'gone'
  close (22)
  ! one without a name
  write (23, *) 'fort.23'
  close (23, status='delete')

contains
  integer function logged_nowhere(k)
    integer, intent(in) :: k

    logged_nowhere = k
  end function logged_nowhere
end program statements
