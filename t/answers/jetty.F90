! SPDX-License-Identifier: BSD-3-Clause
! jetty.F90 - record i is found by going through the file from its beginning.
!
! build: iof90
! as: queries
program jetty
  implicit none
  integer :: i, k, n
  real(8) :: x, total
  total = 0
  open (10, file='table.txt')
  do i = 1, 2000
    write (10, '(f20.8)') i * 0.5d0
  end do
  rewind (10)
#ifdef FIXED
  do i = 1, 2000
    read (10, '(f20.8)') x
    total = total + x
  end do
#else
  do i = 1, 300
    rewind (10) ! FINDING reread|reopened table.txt
    n = 1 + mod(i * 37, 2000)
    do k = 1, n
      read (10, '(f20.8)') x ! FINDING reread table.txt
    end do
    total = total + x
  end do
#endif
  close (10)
  print *, total
end program
