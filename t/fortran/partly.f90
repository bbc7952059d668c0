! SPDX-License-Identifier: BSD-3-Clause
! partly.f90 - records of direct access that are written and read in part: what the runtime fills up is no
! statement's.
program partly
  integer :: u, n, i
  integer :: v(25)

  v = 7
  open (newunit=u, file='records', access='direct', form='unformatted', recl=100, status='replace')
  do n = 0, 25, 5
    write (u, rec=n / 5 + 1) (v(i), i = 1, n)
  end do
  write (u, rec=3) 'sieben.', v(1)
  read (u, rec=2) v(1:3)
  read (u, rec=6) v
  read (u, rec=1)
  close (u)
  open (newunit=u, file='records', access='direct', form='formatted', recl=100)
  write (u, '(2i5)', rec=4) v(1:2)
  close (u)
end program
