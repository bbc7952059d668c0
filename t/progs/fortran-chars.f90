! SPDX-License-Identifier: BSD-3-Clause
! Characters one by one, as C has them: extensions of GNU Fortran.
program fortran_chars
  implicit none
  character(1) :: c
  integer :: ios

  open (11, file='chars.bin', access='stream', form='unformatted', status='replace')
  call fputc (11, 'a', ios)
  call fputc (11, 'b')
  call fseek (11, 0, 0, ios)
  if (ftell (11) /= 0) stop 1
  call fgetc (11, c, ios)
  if (ios /= 0 .or. c /= 'a') stop 2
  close (11, status='delete')
  call fput ('x', ios)
  call fget (c, ios)
end program fortran_chars
