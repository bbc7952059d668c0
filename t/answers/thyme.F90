! SPDX-License-Identifier: BSD-3-Clause
!
! thyme.F90 - what bees bring, visit by visit: the file is asked for its size before each record, for
! which the runtime writes what the unit's buffer has.
!
! build: iof90 -static
!
program thyme
   implicit none
   integer, parameter :: visits = 40000, enough = 100000000
   integer :: u, visit, bytes, written

   written = 0
   open (newunit=u, file='thyme.dat', access='stream', form='unformatted', status='replace')
   do visit = 1, visits
#ifdef FIXED
      bytes = written
#else
      inquire (unit=u, size=bytes) ! FINDING flushed thyme.dat
#endif
      if (bytes > enough) exit
      call bring(u, visit)
      written = written + 260
   end do
   close (u)

contains

   subroutine bring(u, visit)
      integer, intent(in) :: u, visit
      real :: grams(65)

      grams = visit
      write (u) grams
   end subroutine

end program
