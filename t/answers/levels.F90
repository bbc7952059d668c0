! SPDX-License-Identifier: BSD-3-Clause
!
! levels.F90 - follows the level of a lake, and keeps the last one in a file.
!
! build: iof90
!
program levels
   implicit none
   integer :: day, u
   real :: level

   open (newunit=u, file='level.txt', status='replace')
   do day = 1, 4000
      level = sin(real(day))
#ifndef FIXED
      rewind (u)
      write (u, '(i8,f12.6)') day, level ! FINDING overwritten level.txt
#endif
   end do
   rewind (u)
   write (u, '(i8,f12.6)') day, level
   close (u)
end program
