/* SPDX-License-Identifier: BSD-3-Clause */
/* fds.h - descriptors, open file descriptions, and what was opened: part of iot.h. */
#ifndef IOT_FDS_H
#define IOT_FDS_H

#define IOT_O_TMPFILE	020000000u	/* O_TMPFILE without O_DIRECTORY */
#define IOT_FD_UNTRACED	1u		/* this path is not to be traced */
#define IOT_FD_NOSTACK	2u		/* no stacks for this path */
#define IOT_FD_MPI	4u		/* made by MPI for itself */
#define IOT_FD_APPEND	8u		/* what is written goes to the file's end */

#define IOT_FD_CHUNK	1024u
#define IOT_FD_CHUNKS	1024u
extern struct iot_fd iot_fd_first[IOT_FD_CHUNK];

struct iot_path;

/* fds.c: descriptors */
static inline bool iot_has_offset(uint32_t mode)
{
	return (mode & 0170000) == 0100000 || (mode & 0170000) == 0060000;	/* S_ISREG, S_ISBLK */
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
uint64_t iot_fd_at(const struct iot_thread *t, const struct iot_ofd *o);
void iot_fd_left(struct iot_thread *t, uint32_t handle);
void iot_fds_shared(void);
void iot_fds_forget(void);
void iot_fds_forked(void);
uint64_t iot_ofd_enter(struct iot_thread *t, struct iot_ofd *o, int fd, uint64_t *ticket);
uint64_t iot_ofd_leave(struct iot_thread *t, struct iot_ofd *o, int fd, uint64_t before,
		       uint64_t end, uint64_t ticket, long ret);
uint64_t iot_end_of(int fd);

/* passed-fds.c: descriptors in messages */
void iot_fds_sent(const void *msg);
void iot_fds_sent_many(const void *vec, uint32_t n);
void iot_fds_expected(int fd, const void *vec, uint32_t n);
void iot_fds_brought(struct iot_thread *t, const void *msg);
void iot_fds_brought_many(struct iot_thread *t, const void *vec, uint32_t n);

/* opened.c: what was opened before */
void iot_opened_note(const char *name, uint32_t serial, int fd, const struct iot_path *path);
void iot_opened_forget(void);

#endif
