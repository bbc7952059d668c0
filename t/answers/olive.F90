! SPDX-License-Identifier: BSD-3-Clause
!
! olive.F90 - reads a deck of cards, each with a keyword in front of its numbers.
!
! build: iof90
! input: awk 'BEGIN { for (i = 0; i < 30000; i++) if (i % 3) print "NODE", i, i * 0.5, i * 0.25, i * 0.125; else print "LINK", i, i + 1 }' >olive.deck
! as: quotes
!
module deck
	implicit none
	real(8), allocatable :: nodes(:, :)
	integer, allocatable :: links(:, :)
	integer :: n_nodes = 0, n_links = 0
contains
	subroutine read_deck(name)
		character(*), intent(in) :: name
		character(4) :: keyword
		character(8) :: skip
		integer :: unit, ios, id
#ifdef FIXED
		character(128) :: line
#endif

		allocate(nodes(3, 40000), links(2, 40000))
		open(newunit=unit, file=name, status='old', action='read')
		do
#ifdef FIXED
			read(unit, '(a)', iostat=ios) line
			if (ios /= 0) exit
			keyword = line(1:4)
			if (keyword == 'NODE') then
				n_nodes = n_nodes + 1
				read(line, *) skip, id, nodes(:, n_nodes)
			else
				n_links = n_links + 1
				read(line, *) skip, links(:, n_links)
			end if
#else
			read(unit, '(a4)', iostat=ios) keyword ! FINDING stepped-back olive.deck
			if (ios /= 0) exit
			backspace(unit) ! FINDING stepped-back olive.deck
			if (keyword == 'NODE') then
				n_nodes = n_nodes + 1
				read(unit, *) skip, id, nodes(:, n_nodes) ! FINDING stepped-back olive.deck
			else
				n_links = n_links + 1
				read(unit, *) skip, links(:, n_links) ! FINDING stepped-back olive.deck
			end if
#endif
		end do
		close(unit)
	end subroutine
end module

program olive
	use deck
	implicit none
	integer :: i, unit
	real(8) :: centre(3)

	call read_deck('olive.deck')
	centre = 0
	do i = 1, n_nodes
		centre = centre + nodes(:, i) / n_nodes
	end do
	open(newunit=unit, file='olive.bin', form='unformatted', status='replace')
	write(unit) n_nodes, n_links
	write(unit) nodes(:, 1:n_nodes)
	write(unit) links(:, 1:n_links)
	close(unit)
	print *, centre
end program
