! SPDX-License-Identifier: BSD-3-Clause
!
! forest.F90 - writes the heights of the trees of a forest, row by row.
!
! build: iof90
!
program forest
	implicit none
	integer, parameter :: rows = 300, trees = 400
	real :: height(trees)
	integer :: row, tree

	open (10, file='heights.txt', action='write', status='replace')
	do row = 1, rows
		do tree = 1, trees
			height(tree) = 10.0 + mod(row * 7 + tree * 13, 200) / 10.0
		end do
#ifdef FIXED
		write (10, '(400f6.1)') height
#else
		do tree = 1, trees
			write (10, '(f6.1)', advance='no') height(tree) ! FINDING element-wise|list-directed heights.txt
		end do
		write (10, *)
#endif
	end do
	close (10)
end program
