! SPDX-License-Identifier: BSD-3-Clause
! internal.f90 - children, and their children, of statements on character variables; then
! units that get the numbers which the runtime had for these.
module lists
  implicit none
  type node
    integer :: value = 0
    type(node), pointer :: next => null()
  contains
    procedure :: put, get
    generic :: write(formatted) => put
    generic :: read(formatted) => get
  end type node
contains
  recursive subroutine put(this, unit, iotype, vlist, iostat, iomsg)
    class(node), intent(in) :: this
    integer, intent(in) :: unit
    character(len=*), intent(in) :: iotype
    integer, intent(in) :: vlist(:)
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg

    if (iotype == 'LISTDIRECTED' .and. size(vlist) > 0) iomsg = 'odd'
    write (unit, '(I4)', iostat=iostat) this%value
    if (associated(this%next)) write (unit, '(DT)', iostat=iostat) this%next
  end subroutine put

  recursive subroutine get(this, unit, iotype, vlist, iostat, iomsg)
    class(node), intent(inout) :: this
    integer, intent(in) :: unit
    character(len=*), intent(in) :: iotype
    integer, intent(in) :: vlist(:)
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg

    if (iotype == 'LISTDIRECTED' .and. size(vlist) > 0) iomsg = 'odd'
    read (unit, '(I4)', iostat=iostat) this%value
    if (associated(this%next)) read (unit, '(DT)', iostat=iostat) this%next
  end subroutine get
end module lists

program internal
  use lists
  implicit none
  type(node), target :: a, b, c
  character(len=20) :: text, line
  character(len=20) :: table(2)
  character(kind=4, len=20) :: wide
  integer :: u, v

  a%next => b
  b%next => c
  a%value = 1
  b%value = 2
  c%value = 3
  write (text, '(DT)') a
  read (text, '(DT)') a
  write (table, '(DT/DT)') a, b
  write (wide, '(I4)') a%value
  open (newunit=u, file='after.txt', status='replace')
  write (u, '(A)') trim(text)
  flush (u)
  ! a number that text in memory has in between
  close (u)
  write (text, '(DT)') a
  open (newunit=v, file='again.txt', status='replace')
  write (v, '(A)') 'text'
  rewind (v)
  read (v, '(A)') line
  close (v)
  ! and one that is for a file
  open (newunit=u, file='outer.txt', status='replace')
  write (u, '(DT)') a
  write (text, '(DT)') a
  close (u)
end program internal
