! SPDX-License-Identifier: BSD-3-Clause
!
! profile.F90 - interpolates the density of air at some heights from a table.
!
! build: iof90
! as: queries
! input: seq 1 4000 >density.txt
!
program profile
   implicit none
   integer, parameter :: rows = 4000, heights = 120
   real :: density, total
   integer :: u, i

   total = 0
   open (newunit=u, file='density.txt', status='old', action='read')
   do i = 1, heights
      density = at_row(u, rows - i)
      total = total + density
   end do
   close (u)
   print *, total

contains

   function at_row(u, row) result(value)
      integer, intent(in) :: u, row
      real :: value
      integer :: i
#ifdef FIXED
      real, save :: table(rows)
      logical, save :: filled = .false.

      if (.not. filled) then
         do i = 1, rows
            read (u, *) table(i)
         end do
         filled = .true.
      end if
      value = table(row)
#else
      rewind (u) ! FINDING reread density.txt
      do i = 1, row
         read (u, *) value ! FINDING reread density.txt
      end do
#endif
   end function

end program
