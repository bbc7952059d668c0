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
  character(len=9000) :: long = ' '
  integer :: i
  real :: x

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
  case ('real')
    read (10, *) x
  case ('integer')
    read (10, '(I4)') i
  case ('logical')
    read (10, '(I4)', iostat=i) i
    rewind (10)
    read (10, *) x, i
  case ('format')
    write (10, '(' // how // ')') 1
  case ('written')
    open (13, file='text', action='read', status='old', iostat=i)
    close (10)
    open (13, file='text', action='read', status='old')
    write (13, *) 1
  case ('again')
    read (10, '(A)', iostat=i) how, long
    read (10, '(A)', iostat=i) how
    read (10, '(A)') how
  case ('read')
    ! that nothing lies there says nothing of the next one
    open (12, file='/none/here', status='old', iostat=i)
    open (13, file='/proc/self/mem', status='old', action='read', form='unformatted', access='stream')
    read (13, pos=2) i
  case ('deleted')
    open (13, file='gone')
    call unlink('gone')
    close (13, status='delete')
  case ('scratch')
    open (13, status='scratch')
    close (13, status='keep')
  case ('direct')
    open (13, file='direct', access='direct', recl=4)
    read (13) i
  case ('beyond')
    open (13, file='direct', access='direct', recl=4)
    read (13, rec=7) i
  case ('marker')
    close (10)
    open (13, file='text', form='unformatted', status='old')
    read (13) i
  case ('short')
    open (13, file='short', form='unformatted')
    write (13) 1
    rewind (13)
    read (13) i, x
  case ('back')
    open (13, file='direct', access='direct', recl=4)
    backspace (13)
  end select
end program ends
