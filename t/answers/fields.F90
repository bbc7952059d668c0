! SPDX-License-Identifier: BSD-3-Clause
!
! fields.F90 - computes a temperature and stores it for later programs.
!
! build: iof90
! as: quotes
!
program fields
   implicit none
   integer, parameter :: nx = 150, ny = 120
   double precision :: t(nx, ny)

   call initial(t)
   call store(t)

contains

   subroutine initial(a)
      double precision, intent(out) :: a(:, :)
      integer :: i, j

      do j = 1, size(a, 2)
         do i = 1, size(a, 1)
            a(i, j) = 273.15d0 + i * 0.1d0 - j * 0.01d0
         end do
      end do
   end subroutine

   subroutine store(a)
      double precision, intent(in) :: a(:, :)
      integer :: u

#ifdef FIXED
      open (newunit=u, file='temperature', form='unformatted', access='stream', status='replace')
      write (u) shape(a)
      write (u) a
#else
      integer :: i, j

      open (newunit=u, file='temperature', form='formatted', status='replace')
      write (u, *) shape(a)
      do j = 1, size(a, 2)
         do i = 1, size(a, 1)
            write (u, *) a(i, j) ! FINDING list-directed|element-wise temperature
         end do
      end do
#endif
      close (u)
   end subroutine

end program
