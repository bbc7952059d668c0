! SPDX-License-Identifier: BSD-3-Clause
!
! snowdrop.F90 - thaws that another program tells of by files: they are looked for from time to time, or, once
! the first is there, all have come.
!
! build: iof90 -static
!
program snowdrop
   use iso_c_binding
   implicit none
   integer, parameter :: thaws = 8
   interface
      subroutine usleep(us) bind(c)
         import c_int
         integer(c_int), value :: us
      end subroutine
   end interface
   integer :: n, u

   call execute_command_line('i=0; while [ $i -lt 8 ]; do sleep 0.11; : >thaw.$i; i=$((i+1)); done &')
#ifdef FIXED
   call usleep(2000000)
#endif
   do n = 0, thaws - 1
      call await('thaw.' // achar(48 + n))
      open (newunit=u, file='thaw.' // achar(48 + n))
      close (u, status='delete')
   end do

contains

   subroutine await(name)
      character(*), intent(in) :: name
      logical :: there

      do
         inquire (file=name, exist=there) ! FINDING awaited ~
         if (there) exit
         call usleep(20000)
      end do
   end subroutine

end program
