! SPDX-License-Identifier: BSD-3-Clause
!
! basin.F90 - each rank needs some columns of the depths of a basin.
!
! build: iompif90 openmpi
! as: heat
! ranks: 4
! input: head -c 2097152 /dev/zero >basin.dat
!
program basin
   use mpi
   implicit none
   integer, parameter :: columns = 32, rows = 2048
   real(8) :: depth(columns, rows)
   integer :: f, rank, ranks, error, status(MPI_STATUS_SIZE)

   call mpi_init(error)
   call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
   call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
   call mpi_file_open(MPI_COMM_WORLD, 'basin.dat', MPI_MODE_RDONLY, MPI_INFO_NULL, f, error)
   call load()
   call mpi_file_close(f, error)
   if (sum(depth) > 1) print *, 'deep'
   call mpi_finalize(error)

contains

   subroutine load()
      integer(MPI_OFFSET_KIND) :: at
#ifdef FIXED
      integer :: mine

      call mpi_type_create_subarray(2, [columns*ranks, rows], [columns, rows], [columns*rank, 0], &
                                    MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, mine, error)
      call mpi_type_commit(mine, error)
      at = 0
      call mpi_file_set_view(f, at, MPI_DOUBLE_PRECISION, mine, 'native', MPI_INFO_NULL, error)
      call mpi_file_read_all(f, depth, columns*rows, MPI_DOUBLE_PRECISION, status, error)
      call mpi_type_free(mine, error)
#else
      integer :: row

      do row = 1, rows
         at = ((row - 1)*ranks + rank)*columns*8_MPI_OFFSET_KIND
         call mpi_file_read_at(f, at, depth(1, row), columns, MPI_DOUBLE_PRECISION, status, error) ! FINDING independent basin.dat
      end do
#endif
   end subroutine

end program
