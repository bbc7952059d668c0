! SPDX-License-Identifier: BSD-3-Clause
!
! lidar.F90 - reads the distances that a laser has measured, of each sweep the first ones.
!
! build: iof90
! as: columns
! input: head -c 8000000 /dev/zero >lidar.bin
!
program lidar
	implicit none
	integer, parameter :: sweeps = 500, n = 4000, first = 40
	real :: sum
#ifdef FIXED
	real :: sweep(n)
#endif
	real :: distance
	integer :: i, k

	open (10, file='lidar.bin', access='stream', form='unformatted', action='read', status='old')
	sum = 0
	do i = 1, sweeps
#ifdef FIXED
		read (10, pos=(i - 1) * n * 4 + 1) sweep
		sum = sum + maxval(sweep(1:first))
#else
		do k = 1, first
			read (10, pos=((i - 1) * n + (k - 1) * 97) * 4 + 1) distance ! FINDING element-wise|strided|scattered lidar.bin
			sum = max(sum, distance)
		end do
#endif
	end do
	print '(f10.3)', sum
end program
