! SPDX-License-Identifier: BSD-3-Clause
!
! orbits.F90 - keeps the places of asteroids in a file of direct access.
!
! build: iof90
!
program orbits
   implicit none
   integer, parameter :: bodies = 60000
   double precision :: place(bodies)
   integer :: u, i

   do i = 1, bodies
      place(i) = 1.5d0 + i * 1d-5
   end do
#ifdef FIXED
   open (newunit=u, file='orbits.dat', access='direct', form='unformatted', recl=8 * bodies, status='replace')
   write (u, rec=1) place
#else
   open (newunit=u, file='orbits.dat', access='direct', form='unformatted', recl=8, status='replace')
   do i = 1, bodies
      write (u, rec=i) place(i) ! FINDING element-wise|small-writes orbits.dat
   end do
#endif
   close (u)
end program
