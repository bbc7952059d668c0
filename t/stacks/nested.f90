program p
  implicit none
  integer :: i
  i = 3
  call inner(i)
contains
  subroutine inner(n)
    integer, intent(in) :: n
    print *, deep(n)
  end subroutine
  integer function deep(n)
    integer, intent(in) :: n
    deep = n + i
    write(*,*) 'x'
  end function
end program
