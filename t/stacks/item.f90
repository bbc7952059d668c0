! SPDX-License-Identifier: BSD-3-Clause
! item.f90 - calls from below libgfortran: a type that writes itself.
module items
  use iso_c_binding
  implicit none
  type item
    integer :: n
  contains
    procedure :: put
    generic :: write(formatted) => put
  end type
  interface
    subroutine site_of_item() bind(c)
    end subroutine
    subroutine begin_items() bind(c)
    end subroutine
  end interface
contains
  subroutine put(x, unit, iotype, v, iostat, iomsg)
    class(item), intent(in) :: x
    integer, intent(in) :: unit, v(:)
    character(*), intent(in) :: iotype
    integer, intent(out) :: iostat
    character(*), intent(inout) :: iomsg
    call site_of_item()
    write(unit, '(i0)', iostat=iostat, iomsg=iomsg) x%n
  end subroutine
  recursive subroutine nest(depth)
    integer, intent(in) :: depth
    real :: a(depth * 10)
    character(20) :: line
    a = real(depth)
    if (depth > 0) call nest(depth - 1)
    write(line, *) item(int(sum(a)))
    write(10, '(dt)') item(depth)
  end subroutine
end module

program main
  use items
  call begin_items()
  open(10, status='scratch')
  call nest(3)
end program
