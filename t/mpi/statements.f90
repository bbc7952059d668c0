! SPDX-License-Identifier: BSD-3-Clause
! statements.f90 - Fortran's statements and MPI-IO in one program, one within the other.
program statements
  use mpi
  implicit none
  integer :: rank, n, unit, fh, ierror
  integer :: status(MPI_STATUS_SIZE)
  character(len=16) :: name
  character(len=20) :: line
  character(len=8) :: part

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  write (name, '("unit.", I0)') rank
  open (newunit=unit, file=name)
  call MPI_File_open(MPI_COMM_WORLD, 'shared', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, fh, ierror)
  ! longer than the unit's buffer
  write (unit, '(A)') repeat('x', 20000)
  write (unit, '(A, I0)') 'within ', transferred()
  rewind (unit)
  read (unit, '()')
  read (unit, '(A)') line
  call MPI_File_read_at(fh, int(8 * rank, MPI_OFFSET_KIND), part, 8, MPI_CHARACTER, status, ierror)
  call MPI_File_close(fh, ierror)
  if (line /= 'within 8' .or. part /= 'mpi part') error stop 'what was read is not what was written'
  close (unit)
  call MPI_Finalize(ierror)

contains
  ! An item of a statement, which does I/O of its own.
  integer function transferred()
    call MPI_File_write_at(fh, int(8 * rank, MPI_OFFSET_KIND), 'mpi part', 8, MPI_CHARACTER, status, ierror)
    call MPI_Get_count(status, MPI_CHARACTER, transferred, ierror)
  end function transferred
end program statements
