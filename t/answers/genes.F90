! SPDX-License-Identifier: BSD-3-Clause
!
! genes.F90 - finds genes by their names in a table.
!
! build: iof90 -static
! as: queries
! input: seq 1 4000 | sed 's/$/ gene of some plant or animal/' >genes.txt
!
program genes
	implicit none
	integer, parameter :: wanted = 60, n = 4000
	integer :: i, number, found, io
	character(len=60) :: line
	character(len=60), allocatable :: table(:)

	open (10, file='genes.txt', action='read', status='old')
	found = 0
	allocate (table(n))
#ifdef FIXED
	do i = 1, n
		read (10, '(a)') table(i)
	end do
	do i = 1, wanted
		do number = 1, n
			if (index(table(number), 'gene') > 0 .and. number == i * 60) found = found + 1
		end do
	end do
#else
	do i = 1, wanted
		rewind (10)
		number = 0
		do
			read (10, '(a)', iostat=io) line ! FINDING reread genes.txt
			if (io /= 0) exit
			number = number + 1
			if (index(line, 'gene') > 0 .and. number == i * 60) exit
		end do
		if (io == 0) found = found + 1
	end do
#endif
	print '(i0)', found
end program
