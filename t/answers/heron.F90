! SPDX-License-Identifier: BSD-3-Clause
!
! heron.F90 - birds that are counted at stations: each count is appended to the station's
! file, which is opened for it and closed after it.
!
! build: iof90 -static
module stations
	implicit none
	integer :: units(10) = 0
contains
	subroutine report(station, day, birds)
		integer, intent(in) :: station, day, birds
		character(len=16) :: name
		integer :: u
		write(name, '(a,i0,a)') 'station-', station, '.txt'
#ifdef FIXED
		if (units(station) == 0) &
			open(newunit=units(station), file=name, position='append')
		u = units(station)
		write(u, '(i5,1x,i6)') day, birds
#else
		open(newunit=u, file=name, position='append') ! FINDING reopened in station-~.txt
		write(u, '(i5,1x,i6)') day, birds
		close(u)
#endif
	end subroutine
end module

program heron
	use stations
	implicit none
	integer :: day, station
	do day = 1, 2000
		do station = 1, 10
			call report(station, day, mod(day * 31 + station * 17, 97)) ! FINDING reopened in station-~.txt
		end do
	end do
end program
