! SPDX-License-Identifier: BSD-3-Clause
!
! sonar.F90 - takes echoes out of a table of records, one after the other.
!
! build: iof90 -static
! as: heron
! input: head -c 409600 /dev/zero >echoes.tab
!
module echoes
	implicit none
contains
	function echo(number) result(depth)
		integer, intent(in) :: number
		real :: depth, record(1024)

#ifndef FIXED
		open (12, file='echoes.tab', access='direct', recl=4096, form='unformatted', action='read') ! FINDING reopened echoes.tab
#endif
		read (12, rec=number) record
		depth = maxval(record)
#ifndef FIXED
		close (12)
#endif
	end function
end module

program sonar
	use echoes
	implicit none
	integer :: i
	real :: deepest

#ifdef FIXED
	open (12, file='echoes.tab', access='direct', recl=4096, form='unformatted', action='read')
#endif
	deepest = 0
	do i = 1, 100
		deepest = max(deepest, echo(i)) ! FINDING reopened echoes.tab
	end do
	print '(f8.2)', deepest
end program
