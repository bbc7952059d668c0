/* SPDX-License-Identifier: BSD-3-Clause */
/* slow-disk.h - which files are on the slow disk: see slow-disk.c. */
#ifndef SLOW_DISK_H
#define SLOW_DISK_H

extern int slow_disk_from, slow_disk_to; /* their descriptors: the first one, and behind the last */
extern int slow_disk_takes; /* ns a byte, */
extern int slow_disk_turns; /* and ns a call */

#endif
