! SPDX-License-Identifier: BSD-3-Clause
!
! iotrace.f90 - what a Fortran program may tell iotrace, see iotrace.h(3).
!
! Compile it as a part of the program.  Nothing has to be linked: in a program
! that is not recorded these subroutines do nothing.
module iotrace
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, c_funptr, c_int, &
                                         c_loc, c_null_char, c_null_ptr, c_ptr
  implicit none
  private
  public :: iotrace_begin, iotrace_end, iotrace_mark, iotrace_pause, iotrace_resume

  ! as in iotrace.h
  integer(c_int), parameter :: begins = 1, ends = 2, marks = 3, pauses = 4, resumes = 5

  abstract interface
    subroutine teller(what, text) bind(c)
      import :: c_int, c_ptr
      integer(c_int), value :: what
      type(c_ptr), value :: text
    end subroutine teller
  end interface

  interface
    function dlsym(handle, name) bind(c, name='dlsym') result(address)
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: address
    end function dlsym
  end interface

  ! The recorder's; threads that come here first at the same time find the same.
  procedure(teller), pointer, save :: recorder => null()
  logical, save :: looked = .false.

contains

  ! A region of the calling thread begins: its calls are shown beneath it.
  subroutine iotrace_begin(name)
    character(len=*), intent(in) :: name

    call tell(begins, name)
  end subroutine iotrace_begin

  ! The innermost open region of this name ends, or the innermost of all.
  subroutine iotrace_end(name)
    character(len=*), intent(in), optional :: name

    call tell(ends, name)
  end subroutine iotrace_end

  ! A line of text among the calls.
  subroutine iotrace_mark(text)
    character(len=*), intent(in) :: text

    call tell(marks, text)
  end subroutine iotrace_mark

  ! No calls of the process are recorded until as many calls of iotrace_resume.
  subroutine iotrace_pause()
    call tell(pauses)
  end subroutine iotrace_pause

  subroutine iotrace_resume()
    call tell(resumes)
  end subroutine iotrace_resume

  subroutine tell(what, text)
    integer(c_int), intent(in) :: what
    character(len=*), intent(in), optional :: text

    if (.not. looked) call look
    if (.not. associated(recorder)) return
    if (present(text)) then
      call tell_text(what, text)
    else
      call recorder(what, c_null_ptr)
    end if
  end subroutine tell

  ! Without the blanks at its end, and with C's end.
  subroutine tell_text(what, text)
    integer(c_int), intent(in) :: what
    character(len=*), intent(in) :: text
    character(kind=c_char), target :: copy(len_trim(text) + 1)
    integer :: i

    do i = 1, len_trim(text)
      copy(i) = text(i:i)
    end do
    copy(size(copy)) = c_null_char
    call recorder(what, c_loc(copy))
  end subroutine tell_text

  subroutine look()
    type(c_funptr) :: address

    address = dlsym(c_null_ptr, 'iot_user'//c_null_char)
    if (c_associated(address)) call c_f_procpointer(address, recorder)
    looked = .true.
  end subroutine look
end module iotrace
