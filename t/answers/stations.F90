! SPDX-License-Identifier: BSD-3-Clause
!
! stations.F90 - collects what stations report, as it comes in, in one file.
!
! build: iof90 -static
! as: heron
!
module reports
   implicit none
   integer :: unit = -1

contains

   subroutine report(station, hour, rain)
      integer, intent(in) :: station, hour
      real, intent(in) :: rain

#ifdef FIXED
      if (unit == -1) open (newunit=unit, file='rain.txt', position='append')
#else
      open (newunit=unit, file='rain.txt', position='append') ! FINDING reopened rain.txt
#endif
      write (unit, '(2i6, f8.2)') station, hour, rain
#ifndef FIXED
      close (unit)
#endif
   end subroutine

   subroutine no_report(station, hour)
      integer, intent(in) :: station, hour

      call report(station, hour, -1.0)
   end subroutine

end module

program stations
   use reports
   implicit none
   integer :: station, hour

   do hour = 1, 100
      do station = 1, 30
         if (modulo(station * hour, 11) == 0) then
            call no_report(station, hour)
         else
            call report(station, hour, modulo(station * hour, 17) * 0.3)
         end if
      end do
   end do
end program
