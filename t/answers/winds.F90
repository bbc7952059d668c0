! SPDX-License-Identifier: BSD-3-Clause
!
! winds.F90 - each rank has the winds over some rows of a map, and all write the map.
!
! build: iompif90 mpich
! as: waves
! ranks: 4
!
program winds
	use mpi
	implicit none
	integer, parameter :: rows = 2000, columns = 64
	double precision :: row(columns), all(columns, rows)
	integer :: rank, ranks, file, error, i
	integer(kind=MPI_OFFSET_KIND) :: at

	call MPI_Init(error)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
	call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
	call MPI_File_open(MPI_COMM_WORLD, 'winds.dat', MPI_MODE_WRONLY + MPI_MODE_CREATE, MPI_INFO_NULL, file, error)
	do i = 1, rows
		row = rank * rows + i
		all(:, i) = row
#ifndef FIXED
		at = int(rank * rows + i - 1, MPI_OFFSET_KIND) * columns * 8
		call MPI_File_write_at(file, at, row, columns, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, error) ! FINDING independent|small-writes winds.dat
#endif
	end do
#ifdef FIXED
	at = int(rank * rows, MPI_OFFSET_KIND) * columns * 8
	call MPI_File_write_at_all(file, at, all, columns * rows, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, error)
#endif
	call MPI_File_close(file, error)
	call MPI_Finalize(error)
end program
