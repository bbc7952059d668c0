! SPDX-License-Identifier: BSD-3-Clause
! bindings.F90 - the calls of bindings.txt, in that order, through the Fortran binding
! that BINDING says: 1 mpif.h, 2 use mpi, 3 use mpi_f08.
program bindings
#if BINDING == 3
#define FILE_T type(MPI_File)
#define REQUEST_T type(MPI_Request)
#define STATUS_T type(MPI_Status)
#define STATUSES_T type(MPI_Status)
#define STATUS_DIM
#define STATUSES_DIM (2)
#define TYPE_T type(MPI_Datatype)
  use mpi_f08
  implicit none
#else
#define FILE_T integer
#define REQUEST_T integer
#define STATUS_T integer
#define STATUSES_T integer
#define STATUS_DIM (MPI_STATUS_SIZE)
#define STATUSES_DIM (MPI_STATUS_SIZE, 2)
#define TYPE_T integer
#if BINDING == 2
  use mpi
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
#endif
  FILE_T :: fh
  REQUEST_T :: one, two(2)
  STATUS_T :: status STATUS_DIM
  STATUSES_T :: statuses STATUSES_DIM
  TYPE_T :: filetype
  integer :: rank, ierr, buf(16), idx
  integer(kind=MPI_OFFSET_KIND) :: at, length, disp
  logical :: done

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  buf = rank
  call MPI_File_open(MPI_COMM_WORLD, 'bindings.data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, fh, ierr)
  call MPI_Type_vector(4, 4, 8, MPI_INTEGER, filetype, ierr)
  call MPI_Type_commit(filetype, ierr)
  at = 64 * rank
  call MPI_File_write_at(fh, at, buf, 16, MPI_INTEGER, status, ierr)
  call MPI_File_write_at_all(fh, at, buf, 16, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_File_seek(fh, at, MPI_SEEK_SET, ierr)
  call MPI_File_write(fh, buf, 16, MPI_INTEGER, status, ierr)
  call MPI_File_sync(fh, ierr)
  call MPI_File_read_at(fh, at, buf, 16, MPI_INTEGER, status, ierr)
  call MPI_File_iwrite_at(fh, at, buf, 16, MPI_INTEGER, one, ierr)
  call MPI_Wait(one, status, ierr)
  call MPI_File_iread_at(fh, at, buf, 16, MPI_INTEGER, two(1), ierr)
  call MPI_File_iread_at(fh, at, buf, 16, MPI_INTEGER, two(2), ierr)
  call MPI_Waitall(2, two, statuses, ierr)
  call MPI_File_iread_at(fh, at, buf, 16, MPI_INTEGER, one, ierr)
  done = .false.
  do while (.not. done)
    call MPI_Test(one, done, MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_File_iread_at(fh, at, buf, 16, MPI_INTEGER, two(1), ierr)
  two(2) = MPI_REQUEST_NULL
  call MPI_Waitany(2, two, idx, MPI_STATUS_IGNORE, ierr)
  call MPI_File_write_at_all_begin(fh, at, buf, 16, MPI_INTEGER, ierr)
  call MPI_File_write_at_all_end(fh, buf, status, ierr)
  call MPI_File_write_ordered(fh, buf, 16, MPI_INTEGER, status, ierr)
  call MPI_File_write_shared(fh, buf, 16, MPI_INTEGER, status, ierr)
  disp = 16 * rank
  call MPI_File_set_view(fh, disp, MPI_INTEGER, filetype, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_read_all(fh, buf, 16, MPI_INTEGER, status, ierr)
  call MPI_File_get_size(fh, length, ierr)
  call MPI_File_close(fh, ierr)
  call MPI_Type_free(filetype, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) call MPI_File_delete('bindings.data', MPI_INFO_NULL, ierr)
  call MPI_Finalize(ierr)
end program bindings
