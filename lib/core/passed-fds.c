/* SPDX-License-Identifier: BSD-3-Clause */
/* passed-fds.c - descriptors that messages take to other processes, or bring from them. */
#include "passed-fds.h"

#include "fetch.h"
#include "log-share.h"
#include "logfd.h"
#include "sys.h"
#include "thread.h"

#include <sys/socket.h>

#define MOST   1024u			/* messages that the kernel takes at once, */
#define RIGHTS 253u			/* and descriptors in each */

static void each(const struct msghdr *m, struct iot_thread *t, void (*what)(struct iot_thread *, int))
{
	const char *control = m->msg_control;
	struct cmsghdr c;
	int fd;

	for (size_t at = 0; control && at + sizeof(c) <= m->msg_controllen; at += CMSG_ALIGN(c.cmsg_len)) {
		if (!iot_fetch(&c, control + at, sizeof(c)) || c.cmsg_len < sizeof(c) ||
		    c.cmsg_len > m->msg_controllen - at)
			return;
		if (c.cmsg_level != SOL_SOCKET || c.cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = CMSG_LEN(0); i + sizeof(fd) <= c.cmsg_len; i += sizeof(fd))
			if (iot_fetch(&fd, control + at + i, sizeof(fd)))
				what(t, fd);
	}
}

static void sent(struct iot_thread *t, int fd)
{
	(void)t;
	iot_fd_shared(fd);
}

/* Before a call that sends it, since whoever gets a descriptor may use it before that
   call returns.  The message may be anywhere. */
void iot_fds_sent(const void *msg)
{
	struct msghdr m;

	if (iot_share && iot_fetch(&m, msg, sizeof(m)))
		each(&m, NULL, sent);
}

void iot_fds_sent_many(const void *vec, uint32_t n)
{
	for (uint32_t i = 0; i < n && i < MOST; i++)
		iot_fds_sent((const struct mmsghdr *)vec + i);
}

/* Before a call that receives so many messages at a socket: what may come with them, in
   the space that the program has for it. */
void iot_fds_expected(int fd, const void *vec, uint32_t n)
{
	uint32_t expected = 0;
	int domain = 0, size = sizeof(domain);
	struct mmsghdr m;

	iot_log_before_rights();
	if (n < 2 || !iot_sys_allowed(SYS_getsockopt) ||
	    iot_syscall(SYS_getsockopt, (long)fd, (long)SOL_SOCKET, (long)SO_DOMAIN, &domain, &size) < 0 || domain != AF_UNIX)
		return;
	for (uint32_t i = 0; i < n && i < MOST && iot_fetch(&m, (const struct mmsghdr *)vec + i, sizeof(m)); i++) {
		size_t room = m.msg_hdr.msg_controllen / sizeof(int);

		expected += room < RIGHTS ? (uint32_t)room : RIGHTS;
	}
	iot_log_make_room(expected);
}

static void brought(struct iot_thread *t, int fd)
{
	iot_log_reached(fd);
	iot_fd_closed(t, fd);
}

/* After a call that has received it. */
void iot_fds_brought(struct iot_thread *t, const void *msg)
{
	struct msghdr m;

	if (iot_fetch_used(t, &m, msg, sizeof(m)))
		each(&m, t, brought);
}

void iot_fds_brought_many(struct iot_thread *t, const void *vec, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		iot_fds_brought(t, (const struct mmsghdr *)vec + i);
}
