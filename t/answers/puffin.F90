! SPDX-License-Identifier: BSD-3-Clause
!
! puffin.F90 - dives of a colony, kept from the one half of the season to the other, a row for each bird.
!
! build: iof90
!
program puffin
   implicit none
   integer, parameter :: birds = 2000, dives = 80
   double precision :: depth(dives, birds), sum_before
   integer :: i, j, u

   do j = 1, birds
      do i = 1, dives
         depth(i, j) = 12d0 + 9d0 * sin(0.37d0 * i) * cos(0.011d0 * j)
      end do
   end do
   sum_before = sum(depth)
#ifdef FIXED
   open (newunit=u, file='dives', form='unformatted', status='replace', action='write')
   do j = 1, birds
      write (u) (depth(i, j), i = 1, dives)
   end do
#else
   open (newunit=u, file='dives', form='formatted', status='replace', action='write')
   do j = 1, birds
      write (u, '(8es24.16)') (depth(i, j), i = 1, dives) ! FINDING as-text dives
   end do
#endif
   close (u)
   depth = 0
#ifdef FIXED
   open (newunit=u, file='dives', form='unformatted', status='old', action='read')
   do j = 1, birds
      read (u) depth(:, j)
   end do
#else
   open (newunit=u, file='dives', form='formatted', status='old', action='read')
   do j = 1, birds
      read (u, '(8f24.16)') depth(:, j) ! FINDING as-text dives
   end do
#endif
   close (u)
   print '(2f16.4)', sum_before, sum(depth)
end program
