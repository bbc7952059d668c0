! SPDX-License-Identifier: BSD-3-Clause
! A statement on a unit, most of which have no stream: what it says of it.
!	units STATEMENT UNIT
! UNIT: a number, or closed (of a unit that was), or closed-formatted (the same, and
! the runtime has used its number for text since)
program units
	implicit none
	character(20) :: what, which, text
	character(200) :: message
	integer :: unit, status
	logical :: opened, there

	call get_command_argument(1, what)
	call get_command_argument(2, which)
	if (which(1:6) == 'closed') then
		open(newunit=unit, file='units.dat')
		close(unit)
		if (which /= 'closed') write(text, '(i0)') unit
	else
		read(which, *) unit
	end if
	message = ''
	status = 0
	opened = .false.
	there = .false.
	select case (what)
	case ('inquire')
		inquire(unit=unit, opened=opened, exist=there, iostat=status, iomsg=message)
	case ('wait')
		wait(unit, iostat=status, iomsg=message)
	case ('flush')
		flush(unit, iostat=status, iomsg=message)
	case ('rewind')
		rewind(unit, iostat=status, iomsg=message)
	case ('backspace')
		backspace(unit, iostat=status, iomsg=message)
	case ('endfile')
		endfile(unit, iostat=status, iomsg=message)
	case ('close')
		close(unit, iostat=status, iomsg=message)
	case ('read')
		read(unit, *, iostat=status, iomsg=message)
	case ('write')
		write(unit, *, iostat=status, iomsg=message) 1
	end select
	print *, status, opened, there, trim(message)
end program
