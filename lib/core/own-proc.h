/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own-proc.h - both paths of a file of /proc about this process.  /proc/self is the first thread,
 * which tells nothing any more once it has ended; valgrind makes up files of that name alone.  So the
 * first path that tells something is the one to take.
 */
#ifndef IOT_OWN_PROC_H
#define IOT_OWN_PROC_H

#define IOT_OWN_PROC(name) { "/proc/self/" name, "/proc/thread-self/" name }
typedef const char iot_own_proc[2][32];

#endif
