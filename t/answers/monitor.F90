! SPDX-License-Identifier: BSD-3-Clause
!
! monitor.F90 - integrates a pendulum and says at each step how it is.
!
! build: iof90
!
program monitor
   implicit none
   integer, parameter :: steps = 12000
   double precision :: angle, speed
   integer :: u, step

   angle = 0.3d0
   speed = 0
   open (newunit=u, file='monitor.txt', status='replace')
   do step = 1, steps
      speed = speed - sin(angle) * 1d-3
      angle = angle + speed * 1d-3
      call tell(u, step, angle)
   end do
   close (u)

contains

   subroutine tell(u, step, angle)
      integer, intent(in) :: u, step
      double precision, intent(in) :: angle

      write (u, '(i8, f12.8)') step, angle
#ifndef FIXED
      flush (u) ! FINDING flushed monitor.txt
#endif
   end subroutine

end program
