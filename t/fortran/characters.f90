! SPDX-License-Identifier: BSD-3-Clause
! characters.f90 - single characters, as functions and as subroutines, with and without a
! status, and of all kinds of units.
module functions
  implicit none
contains
  integer function put_to(unit, c)
    integer, intent(in) :: unit
    character(len=1), intent(in) :: c

    put_to = fputc(unit, c)
  end function put_to

  integer function get_from(unit, c)
    integer, intent(in) :: unit
    character(len=1), intent(out) :: c

    get_from = fgetc(unit, c)
  end function get_from

  integer function put(c)
    character(len=1), intent(in) :: c

    put = fput(c)
  end function put

  integer function get(c)
    character(len=1), intent(out) :: c

    get = fget(c)
  end function get

  integer(kind=8) function place(unit)
    integer, intent(in) :: unit

    place = ftell(unit)
  end function place
end module functions

program characters
  use functions
  implicit none
  character(len=1) :: c
  character(len=4) :: text
  integer(kind=4) :: s4
  integer(kind=8) :: s8, at
  integer :: status

  open (10, file='text', status='replace', access='stream', form='formatted')
  call fputc(10, 'a')
  call fputc(10, 'b', s4)
  call fputc(10, 'c', s4)
  call fputc(10, 'd', s4)
  call fputc(10, 'e', s4)
  status = put_to(10, achar(10))
  call flush(10)
  at = place(10)
  call fseek(10, 1, 0)
  call fgetc(10, c)
  call fgetc(10, c, s4)
  call fgetc(10, c, s4)
  status = get_from(10, c)
  call ftell(10, s8)
  call fseek(10, 0, 2, status)
  status = get_from(10, c)
  call fseek(10, 2, 0)
  read (10, '(A)') text
  if (text /= 'cde') error stop 'not what was written'
  rewind (10)
  call fgetc(10, c, s4)
  if (c /= 'a' .or. s4 /= 0) error stop 'nor this'
  close (10)
  ! from the end and from where it stands, in a unit that no transfer has had
  open (11, file='more', status='replace', access='stream', form='formatted')
  call fputc(11, 'a')
  call fputc(11, 'b')
  call fseek(11, 0, 2)
  call fputc(11, 'c')
  call fseek(11, -2, 1)
  call fputc(11, 'd')
  call fseek(11, 5, 2)
  call fputc(11, 'e')
  close (11)
  ! a unit that is not there
  status = put_to(77, 'x')
  if (status /= -1) error stop 'no error'
  call fput('o')
  call fput('k', s4)
  status = put(achar(10))
  call fget(c, s4)
  status = get(c)
  write (6, '(A)') 'text'
  call fput('!')
  call flush()
end program characters
