! SPDX-License-Identifier: BSD-3-Clause
!
! heat.F90 - each rank has some rows of a plate, and stores the temperatures of its points.
!
! build: iompif90 openmpi
! ranks: 4
!
program heat
   use mpi
   implicit none
   integer, parameter :: nx = 64, ny = 40
   double precision :: t(nx, ny)
   integer :: rank, error

   call mpi_init(error)
   call mpi_comm_rank(mpi_comm_world, rank, error)
   call compute
   call store
   call mpi_finalize(error)

contains

   subroutine compute
      integer :: i, j

      do j = 1, ny
         do i = 1, nx
            t(i, j) = rank + i * 0.1d0 - j * 0.01d0
         end do
      end do
   end subroutine

   subroutine store
      integer(mpi_offset_kind) :: at
      integer :: f, status(mpi_status_size)

      call mpi_file_open(mpi_comm_world, 'plate.dat', mpi_mode_create + mpi_mode_wronly, mpi_info_null, f, error)
      at = int(rank, mpi_offset_kind) * nx * ny * 8
#ifdef FIXED
      call mpi_file_write_at_all(f, at, t, nx * ny, mpi_double_precision, status, error)
#else
      block
         integer :: i, j

         do j = 1, ny
            do i = 1, nx
               call mpi_file_write_at(f, at, t(i, j), 1, mpi_double_precision, status, error) ! FINDING independent|small-writes plate.dat
               at = at + 8
            end do
         end do
      end block
#endif
      call mpi_file_close(f, error)
   end subroutine

end program
