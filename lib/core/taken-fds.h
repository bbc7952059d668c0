/* SPDX-License-Identifier: BSD-3-Clause */
/* taken-fds.h - descriptors that a process takes from another: taken-fds.c. */
#ifndef IOT_TAKEN_FDS_H
#define IOT_TAKEN_FDS_H

#pragma GCC visibility push(hidden)

void iot_fd_taken(int pidfd);

#pragma GCC visibility pop

#endif
