! SPDX-License-Identifier: BSD-3-Clause
!
! spectra.F90 - writes the spectra of a few stations into a binary file.
!
! build: iof90 -static
! as: orbits
!
program spectra
   implicit none
   integer, parameter :: bands = 400, stations = 60
   real :: spectrum(bands, stations)
   integer :: u, station

   do station = 1, stations
      call measure(station, spectrum(:, station))
   end do
   open (newunit=u, file='spectra.bin', form='unformatted', access='stream', status='replace')
   write (u) bands, stations
#ifdef FIXED
   write (u) spectrum
#else
   do station = 1, stations
      call put(u, spectrum(:, station))
   end do
#endif
   close (u)

contains

   subroutine measure(station, s)
      integer, intent(in) :: station
      real, intent(out) :: s(:)
      integer :: i

      do i = 1, size(s)
         s(i) = sin(0.01 * i * station)
      end do
   end subroutine

   subroutine put(u, s)
      integer, intent(in) :: u
      real, intent(in) :: s(:)
      integer :: i

      do i = 1, size(s)
         write (u) s(i) ! FINDING element-wise spectra.bin
      end do
   end subroutine

end program
