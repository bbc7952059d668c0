/* SPDX-License-Identifier: BSD-3-Clause */
/* fds.h - descriptors and open file descriptions: fds.c. */
#ifndef IOT_FDS_H
#define IOT_FDS_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"
#include "log-share.h"

#pragma GCC visibility push(hidden)

struct iot_path;
struct iot_thread;

#define IOT_O_TMPFILE	020000000u	/* O_TMPFILE without O_DIRECTORY */
#define IOT_FD_UNTRACED	1u		/* this path is not to be traced */
#define IOT_FD_NOSTACK	2u		/* no stacks for this path */
#define IOT_FD_MPI	4u		/* made by MPI for itself */
#define IOT_FD_APPEND	8u		/* what is written goes to the file's end */
/* of pwritev2(2) and of requests */
#define IOT_RWF_APPEND	 0x10u
#define IOT_RWF_NOAPPEND 0x20u		/* Linux 6.9 */

#define IOT_FD_CHUNK	1024u
#define IOT_FD_CHUNKS	1024u


/* An open file description as far as we follow it. */
struct iot_ofd {
	uint64_t pos;			/* file offset, if owner is a thread */
	struct iot_thread *owner;	/* the only thread that ever moved it; or: */
	uint64_t calls;			/* on a shared one: << 32 under way, low half begun */
	uint32_t refs;			/* descriptors, dup'ed ones included */
	struct iot_thread *user;	/* the only thread that called stdio on it, or IOT_OFD_SHARED */
} __attribute__((aligned(64)));		/* each thread stores into those of its own */
#define IOT_OFD_NONE	((struct iot_thread *)1)	/* has no offset */
#define IOT_OFD_SHARED	((struct iot_thread *)2)	/* ask the kernel before and after each call */
#define IOT_OFD_APPEND	((struct iot_thread *)3)	/* this process's, written at its end: ask after */
#define IOT_OFD_FRESH	((struct iot_thread *)0)	/* nobody's yet; the kernel is asked once */

struct iot_fd {
	struct iot_ofd *ofd;
	uint32_t handle;		/* 0: not known yet */
	uint32_t flags;			/* IOT_FD_*; behind handle: hot.h reads both at once */
};
extern struct iot_fd iot_fd_first[IOT_FD_CHUNK];

static inline bool iot_has_offset(uint32_t mode)
{
	return (mode & 0170000) == 0100000 || (mode & 0170000) == 0060000;	/* S_ISREG, S_ISBLK */
}
/* The header's words taken and appended (log-share.h), as they were when all descriptors were
   looked at for them. */
extern uint64_t iot_taken;
static inline uint64_t iot_taken_now(void)
{
	return __atomic_load_n((const uint64_t *)(const void *)&iot_header->taken, __ATOMIC_RELAXED);
}
static inline bool iot_is_taken(void)
{
	return iot_unlikely(iot_taken_now() != iot_taken);
}
struct iot_fd *iot_fd_get(struct iot_thread *t, int fd);
uint32_t iot_fd_handle(struct iot_thread *t, int fd);
uint32_t iot_handle_of_path(struct iot_thread *t, const char *name, uint32_t *flags);
void iot_fd_opened(struct iot_thread *t, int fd, const struct iot_path *path, const char *name,
		   uint32_t len, bool append);
void iot_fd_closed(struct iot_thread *t, int fd);
void iot_fd_closed_range(struct iot_thread *t, uint32_t first, uint32_t last);
void iot_fd_dup(struct iot_thread *t, int from, int to);
void iot_fd_seek(struct iot_thread *t, int fd, uint64_t pos);
void iot_fd_opened_nameless(struct iot_thread *t, int fd, bool append);
void iot_fd_appends(int fd, bool append);
void iot_fd_shared(int fd);
void iot_ofd_ask(struct iot_thread *t, struct iot_ofd *o, int fd);
uint64_t iot_fd_at(const struct iot_thread *t, const struct iot_ofd *o, int fd);
void iot_fd_left(struct iot_thread *t, uint32_t handle);
void iot_fds_shared(void);
void iot_fds_taken(void);
/* To be called before what is known of a descriptor is used. */
static inline void iot_fds_renew(void)
{
	if (iot_is_taken())
		iot_fds_taken();
}
void iot_fds_forget(void);
void iot_fds_forked(void);
uint64_t iot_ofd_enter(struct iot_thread *t, struct iot_ofd *o, int fd, uint64_t *ticket);
uint64_t iot_ofd_leave(struct iot_thread *t, struct iot_ofd *o, int fd, uint64_t before,
		       uint64_t end, uint64_t ticket, long ret);
uint64_t iot_end_of(int fd);

#pragma GCC visibility pop

#endif
