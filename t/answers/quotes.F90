! SPDX-License-Identifier: BSD-3-Clause
!
! quotes.F90 - reads the prices of shares, and writes what they come to.
!
! build: iof90 -static
! input: seq 1 3000 >prices.txt
!
program quotes
   implicit none
   integer, parameter :: shares = 3000, days = 20
   real :: price(shares)
   integer :: u, i, day

   open (newunit=u, file='prices.txt', status='old', action='read')
   do i = 1, shares
      read (u, *) price(i)
   end do
   close (u)
   open (newunit=u, file='worth.txt', status='replace', action='write')
   do day = 1, days
      price = price*1.01
      call put(u)
   end do
   close (u)

contains

   subroutine put(u)
      integer, intent(in) :: u
#ifdef FIXED
      write (u, '(3000f12.3)') price
#else
      integer :: i

      do i = 1, shares
         write (u, *) price(i) ! FINDING list-directed worth.txt
      end do
#endif
   end subroutine

end program
