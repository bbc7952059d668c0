! SPDX-License-Identifier: BSD-3-Clause
!
! climate.F90 - stores whole fields, unformatted, and reads them again in a later phase.
!
! build: iof90 -static
!
program climate
   implicit none
   integer, parameter :: nx = 400, ny = 300, steps = 12
   real :: field(nx, ny), mean(nx, ny)
   integer :: u, step, i, j

   open (newunit=u, file='climate.dat', form='unformatted', status='replace')
   do step = 1, steps
      do j = 1, ny
         do i = 1, nx
            field(i, j) = 280 + 0.1 * i - 0.05 * j + step
         end do
      end do
      write (u) field
   end do
   close (u)

   mean = 0
   open (newunit=u, file='climate.dat', form='unformatted', status='old', action='read')
   do step = 1, steps
      read (u) field
      mean = mean + field / steps
   end do
   close (u)
   print *, mean(1, 1), mean(nx, ny)
end program
