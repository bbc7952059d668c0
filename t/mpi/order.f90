! SPDX-License-Identifier: BSD-3-Clause
! order.f90 - some of again.c's and win.c's calls, through all three of Fortran's bindings.
program order
	implicit none
	integer :: ierror, me, other

	call with_mpi()
	call with_f08()
	call with_mpif()
contains
	subroutine with_mpi()
		use mpi
		integer :: requests(2), window, given(8) = 1, got(8)
		integer(MPI_ADDRESS_KIND) :: bytes = 32, at = 3

		call MPI_Init(ierror)
		call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
		other = 1 - me
		call MPI_Recv_init(got, 8, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(1), ierror)
		call MPI_Send_init(given, 4, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(2), ierror)
		call MPI_Startall(2, requests, ierror)
		call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
		call MPI_Win_create(got, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
		call MPI_Win_fence(0, window, ierror)
		call MPI_Put(given, 2, MPI_INTEGER, other, at, 2, MPI_INTEGER, window, ierror)
		call MPI_Win_fence(MPI_MODE_NOSUCCEED, window, ierror)
		call MPI_Win_free(window, ierror)
	end subroutine

	subroutine with_f08()
		use mpi_f08
		type(MPI_Win) :: window
		type(MPI_Message) :: message
		type(MPI_Request) :: request
		integer :: given(8) = 1, got(8)
		integer(MPI_ADDRESS_KIND) :: bytes = 32, at = 2

		call MPI_Isend(given, 3, MPI_INTEGER, other, 6, MPI_COMM_WORLD, request)
		call MPI_Mprobe(other, 6, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE)
		call MPI_Mrecv(got, 8, MPI_INTEGER, message, MPI_STATUS_IGNORE)
		call MPI_Wait(request, MPI_STATUS_IGNORE)
		call MPI_Win_create(got, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
		call MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window)
		call MPI_Get(given, 4, MPI_INTEGER, other, at, 4, MPI_INTEGER, window)
		call MPI_Win_unlock(other, window)
		call MPI_Win_free(window)
	end subroutine

	subroutine with_mpif()
		include 'mpif.h'
		integer :: grid, given(8) = 1, got(8), dims(1) = 2
		logical :: round(1) = .true.

		call MPI_Cart_create(MPI_COMM_WORLD, 1, dims, round, .false., grid, ierror)
		call MPI_Neighbor_alltoall(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, grid, ierror)
		call MPI_Finalize(ierror)
	end subroutine
end program
