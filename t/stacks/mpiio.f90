! SPDX-License-Identifier: BSD-3-Clause
! mpiio.f90 - calls below MPI-IO, from Fortran.
program main
  use mpi
  implicit none
  integer :: f, e, status(MPI_STATUS_SIZE), values(1000)
  call MPI_Init(e)
  call MPI_File_open(MPI_COMM_SELF, 'values', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, f, e)
  values = 1
  call MPI_File_write_all(f, values, 1000, MPI_INTEGER, status, e)
  call MPI_File_write_at(f, 8000_MPI_OFFSET_KIND, values, 1000, MPI_INTEGER, status, e)
  call MPI_File_close(f, e)
  call MPI_Finalize(e)
end program
