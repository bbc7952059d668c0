! SPDX-License-Identifier: BSD-3-Clause
!
! reef.F90 - each year of a reef, what lives there is appended to its history.
!
! build: iof90
! as: heron
!
module history
	implicit none
contains
	subroutine append(year, corals)
		integer, intent(in) :: year
		real, intent(in) :: corals
#ifndef FIXED
		open (20, file='reef.txt', position='append', action='write') ! FINDING reopened reef.txt
#endif
		write (20, '(i6, f8.2)') year, corals
#ifndef FIXED
		close (20)
#endif
	end subroutine
end module

program reef
	use history
	implicit none
	integer :: year
	real :: corals

#ifdef FIXED
	open (20, file='reef.txt', position='append', action='write')
#endif
	corals = 100
	do year = 1, 1500
		corals = corals + mod(year * 37, 11) - 5
		call append(year, corals) ! FINDING reopened reef.txt
	end do
#ifdef FIXED
	close (20)
#endif
end program
