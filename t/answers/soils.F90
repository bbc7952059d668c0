! SPDX-License-Identifier: BSD-3-Clause
!
! soils.F90 - reads samples of soil, the head of each first, and then all of it.
!
! build: iof90 -static
! as: queries
! input: seq 1 2500 | sed 's/$/ 0.25 0.5 sand and clay, some stones, and roots/' >soils.txt
!
program soils
	implicit none
	integer :: number, io
	real :: a, b, sum

	open (10, file='soils.txt', action='read', status='old')
	sum = 0
	do
#ifndef FIXED
		read (10, *, iostat=io) number ! FINDING reread soils.txt
		if (io /= 0) exit
		backspace (10) ! FINDING stepped-back soils.txt
#endif
		read (10, *, iostat=io) number, a, b ! FINDING reread|backwards|scattered|small-reads soils.txt
		if (io /= 0) exit
		sum = sum + a * b
	end do
	print '(f10.3)', sum
end program
