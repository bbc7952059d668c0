! SPDX-License-Identifier: BSD-3-Clause
!
! plover.F90 - the mean height of a shore of which a map is read, once, as a whole.
!
! build: iof90 -static
! input: perl -e '@h = map { sin($_) } 1 .. 240000; open F, ">shore.txt"; printf F "%.12f\n", $_ for @h; open F, ">shore.raw"; print F pack "d*", @h'
!
program plover
   implicit none
   integer, parameter :: nx = 600, ny = 400
   double precision :: height(nx, ny)
   integer :: u

#ifdef FIXED
   open (newunit=u, file='shore.raw', access='stream', form='unformatted', status='old', action='read')
   read (u) height
#else
   open (newunit=u, file='shore.txt', status='old', action='read')
   read (u, *) height ! FINDING as-text shore.txt
#endif
   close (u)
   print '(f12.6)', sum(height) / size(height)
end program
