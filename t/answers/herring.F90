! SPDX-License-Identifier: BSD-3-Clause
!
! herring.F90 - hauls of a season: each has a record of direct access that the largest would fit into.
!
! build: iof90
!
program herring
   implicit none
   integer, parameter :: hauls = 1500, most = 16384
   real :: fish(most)
   integer :: i, j, n, u

   fish = 1.5
#ifdef FIXED
   open (newunit=u, file='herring.dat', access='stream', form='unformatted', status='replace')
#else
   open (newunit=u, file='herring.dat', access='direct', recl=4 * (most + 1), form='unformatted', status='replace')
#endif
   do i = 1, hauls
      n = 200 + 100 * mod(i, 6)
#ifdef FIXED
      write (u) n, (fish(j), j = 1, n)
#else
      write (u, rec=i) n, (fish(j), j = 1, n) ! FINDING padded herring.dat
#endif
   end do
   close (u)
end program
