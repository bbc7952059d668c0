! SPDX-License-Identifier: BSD-3-Clause
! ends.f90 - a program that ends within a statement.  Argument: how.
module parts
  implicit none
contains
  integer function f(n)
    integer, intent(in) :: n
    if (n == 2) stop 3
    f = n
  end function
  recursive integer function g(n) result(r)
    integer, intent(in) :: n
    r = 1
    if (n > 0) then
      write (20 + n, *) g(n - 1)
    else
      read (40, *) r
    end if
  end function
end module parts
program ends
  use parts
  implicit none
  character(len=10) :: how
  integer :: i

  call get_command_argument(1, how)
  open (10, file='text', status='replace', position='rewind', convert='big_endian', &
    form='unformatted', asynchronous='no')
  close (10)
  open (10, file='text', status='replace', encoding='utf-8', decimal='comma', delim='quote', &
    pad='no', round='up', sign='plus', blank='zero', carriagecontrol='list', share='denyrw')
  close (10)
  open (10, file='text', status='old')
  write (10, '(A)') 'text'
  rewind (10)
  open (40, file='other', status='replace')
  select case (how)
  case ('eof')
    read (10, '(A)') how
    read (10, '(A)') how
  case ('bad')
    read (10, *) i
  case ('open')
    open (11, file='/none/here', status='old')
  case ('stop')
    write (10, *) f(2)
  case ('nested')
    write (10, *) g(2)
  case ('close')
    close (10, status=how)
  case ('rec')
    write (10, rec=3) 1
  case ('eor')
    read (10, "(A10)", advance="no", pad="no") how
  case ('busy')
    ! neither for reading and writing nor for either
    open (11, file='/')
  case ('option')
    ! that libc's open has failed before says nothing of it
    open (12, file='/none/here', status='old', iostat=i)
    open (12, file='new', status='new', form=how)
  end select
end program ends
