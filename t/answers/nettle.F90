! SPDX-License-Identifier: BSD-3-Clause
!
! nettle.F90 - a model of nettles; what each step leaves is in a folder of its own.
!
! build: iof90 -static
! as: monitor
!
module output
	implicit none
contains
	subroutine make_folder(name)
		character(*), intent(in) :: name
		logical :: there

		inquire(file=name, exist=there)
		if (.not. there) call execute_command_line('mkdir -p '//name) ! FINDING programs sh mkdir -
	end subroutine

	subroutine store(step, x)
		integer, intent(in) :: step
		real(8), intent(in) :: x(:)
		character(32) :: folder
		integer :: unit

		write(folder, '(a,i0)') 'steps/', step
		call make_folder(trim(folder)) ! FINDING programs sh mkdir -
		open(newunit=unit, file=trim(folder)//'/state', form='unformatted', access='stream', status='replace')
		write(unit) x
		close(unit)
	end subroutine
end module

program nettle
	use output
	implicit none
	integer, parameter :: n = 40000, steps = 60
	real(8) :: x(n)
	integer :: i, log
#ifdef FIXED
	integer :: unit
#endif

	call random_seed()
	call random_number(x)
	open(newunit=log, file='nettle.log')
#ifdef FIXED
	open(newunit=unit, file='nettle.steps', form='unformatted', access='stream')
#endif
	do i = 1, steps
		x = 0.5d0 * (x + cshift(x, 1)) + 1d-3 * sin(x)
		write(log, *) i, sum(x)
#ifdef FIXED
		write(unit) x
#else
		call store(i, x) ! FINDING programs sh mkdir -
#endif
	end do
	close(log)
end program
