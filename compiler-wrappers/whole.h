/* SPDX-License-Identifier: BSD-3-Clause */
/* whole.h - whether a file of ours is whole, and which one it is. */
#ifndef IOCC_WHOLE_H
#define IOCC_WHOLE_H

#include <stdint.h>

/* How many bytes an archive's objects have in memory: distributions strip archives, and that
   changes their files but not this.  Of another file its size.  0: there is no such file, or it is
   empty, or an archive that ends in the middle. */
uint64_t iot_whole_bytes(const char *path);

#endif
