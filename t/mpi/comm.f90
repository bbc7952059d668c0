! SPDX-License-Identifier: BSD-3-Clause
! comm.f90 - some of comm.c's calls, half of them through mpi_f08.
program comm
	implicit none
	integer :: ierror

	call with_mpi()
	call with_f08()
contains
	subroutine with_mpi()
		use mpi
		integer :: rank, request, status(MPI_STATUS_SIZE)
		integer :: given(4) = 1, got(4)

		call MPI_Init(ierror)
		call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
		call MPI_Barrier(MPI_COMM_WORLD, ierror)
		call MPI_Sendrecv(given, 3, MPI_INTEGER, 1 - rank, 5, got, 4, MPI_INTEGER, 1 - rank, 5, &
			MPI_COMM_WORLD, status, ierror)
		call MPI_Irecv(got, 2, MPI_INTEGER, 1 - rank, 6, MPI_COMM_WORLD, request, ierror)
		call MPI_Send(given, 2, MPI_INTEGER, 1 - rank, 6, MPI_COMM_WORLD, ierror)
		call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
	end subroutine

	subroutine with_f08()
		use mpi_f08
		integer :: given(4) = 1, got(4)

		call MPI_Allreduce(given, got, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
		call MPI_Bcast(got, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
		call MPI_Finalize(ierror)
	end subroutine
end program
