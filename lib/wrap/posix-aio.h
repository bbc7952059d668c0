/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posix-aio.h - what the wrappers of aio_read(3) and its like do, before and after libc's
 * functions: posix-aio.c.
 */
#ifndef IOT_POSIX_AIO_H
#define IOT_POSIX_AIO_H

#include "requests.h"

#pragma GCC visibility push(hidden)

enum iot_posix_op { IOT_POSIX_READ, IOT_POSIX_WRITE, IOT_POSIX_SYNC, IOT_POSIX_DSYNC, IOT_POSIX_OTHER };
#define IOT_POSIX_SYNC_BY(op) ((op) == O_DSYNC ? IOT_POSIX_DSYNC : IOT_POSIX_SYNC)

/* Before a request is handed to libc, and after that.  ret: what libc's function returned. */
void iot_posix_issues(const struct iot_call *c, const struct aiocb *cb, enum iot_posix_op op);
void iot_posix_issued(const struct iot_call *c, const struct aiocb *cb, int ret);
/* The same for lio_listio(3). */
void iot_posix_lists(const struct iot_call *c, const void *list, int n);
void iot_posix_listed(const struct iot_call *c, const void *list, int n, int ret);
/* After a call that looked at the request, or at those of a list. */
void iot_posix_asked(const struct iot_call *c, const struct aiocb *cb);
void iot_posix_waited(const struct iot_call *c, const void *list, int n);
/* After aio_cancel(3).  cb: NULL for all requests of that descriptor. */
void iot_posix_cancelled(const struct iot_call *c, int fd, const void *cb);
/* After aio_return(3): the program is through with the request. */
void iot_posix_collected(const struct iot_call *c, const struct aiocb *cb);

#pragma GCC visibility pop

#endif
