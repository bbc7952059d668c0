! SPDX-License-Identifier: BSD-3-Clause
!
! dunes.F90 - lets sand move and stores it, unless there is a file that says not to.
!
! build: iof90
!
module sand
   implicit none
   integer, parameter :: cells = 2000, steps = 3000
   real :: height(cells)
contains
   logical function is_stopped()
      inquire (file='stop.now', exist=is_stopped) ! FINDING failed|stat-storm|searched stop.now
   end function

   subroutine blow(step)
      integer, intent(in) :: step
      height = height * 0.99 + 0.01 * step
      height(2:) = height(:cells - 1)
   end subroutine
end module

program dunes
   use sand
   implicit none
   integer :: step, u
   logical :: stopped

   height = 0
   stopped = .false.
   do step = 1, steps
      call blow(step)
#ifdef FIXED
      if (mod(step, 1000) == 0) stopped = is_stopped()
#else
      stopped = is_stopped() ! FINDING failed|stat-storm|searched stop.now
#endif
      if (stopped) exit
   end do
   open (newunit=u, file='dunes.bin', form='unformatted', access='stream', status='replace')
   write (u) height
   close (u)
end program
