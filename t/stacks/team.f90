! SPDX-License-Identifier: BSD-3-Clause
! team.f90 - statements in the threads of a team, below libgfortran and libgomp.
program main
  integer :: i, u
  !$omp parallel do private(u) num_threads(4)
  do i = 1, 8
    open(newunit=u, status='scratch')
    write(u, *) i, i * 2.0
    rewind(u)
    close(u)
  end do
end program
