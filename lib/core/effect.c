/* SPDX-License-Identifier: BSD-3-Clause */
/* effect.c - what a call did to descriptors, directories and memory, so that we know them. */
#include "effect.h"

#include "fetch.h"
#include "hooks.h"
#include "logfd.h"
#include "mapped.h"
#include "maps.h"
#include "opened.h"
#include "passed-fds.h"
#include "paths.h"
#include "python-frames.h"
#include "result.h"
#include "seen.h"
#include "sys.h"
#include "taken-fds.h"
#include "thread.h"
#include "unwind.h"

#include <linux/sched.h>
#include <sys/mman.h>

/* Whether a file that is opened so is written at its end. */
static bool appends(const struct iot_desc *desc, const uint64_t *arg)
{
	uint32_t i = desc->opening - 1u;

	if (!desc->opening)
		return false;
	return desc->kind[i] == IOT_K_STR ? *(const char *)arg[i] == 'a' : arg[i] & O_APPEND;
}

/* Whether its name is that of the directory. */
static bool is_nameless(const struct iot_desc *desc, const uint64_t *arg)
{
	uint32_t i = desc->opening - 1u;

	return desc->opening && desc->kind[i] != IOT_K_STR && arg[i] & IOT_O_TMPFILE;
}

/* Whether the process has only one thread. */
static bool is_alone(void)
{
	struct stat st;

	return iot_sys_fstatat(AT_FDCWD, "/proc/self/task", &st, 0) == 0 && st.st_nlink == 3;
}

/* The thread has left its descriptors, or its working directory, to the other threads, if there
   are any.  A thread that it begins has the same as it.  Who began a thread is not known, so
   from now on each thread that begins is taken for one of its own. */
static void unshared(struct iot_thread *t, uint64_t flags)
{
	iot_fds_shared();
	if (flags & (CLONE_FS | CLONE_FILES | CLONE_NEWNS) && !is_alone()) {
		t->flags |= IOT_BLOCK_OWN;
		iot_unshared = IOT_BLOCK_OWN;
	}
	/* who watches has the descriptors as they were */
	if (flags & CLONE_FILES && iot_uring_unwatch) {
		iot_uring_unwatch();
		iot_uring_watch_again(t);
	}
}

/* Descriptors that a call other than open and its like may have made. */
static void made(struct iot_thread *t, const struct iot_desc *desc, const uint64_t *arg, int result)
{
	for (uint32_t i = 0; i < desc->n; i++) {
		int pair[2];

		if (desc->kind[i] == IOT_K_PIPEFDS && iot_fetch_used(t, pair, (const void *)arg[i], sizeof(pair)))
			iot_log_reached(pair[0] > pair[1] ? pair[0] : pair[1]);
		else if (desc->kind[i] == IOT_K_MSG)
			iot_fds_brought(t, (const void *)arg[i]);
		else if (desc->kind[i] == IOT_K_MMSG)
			iot_fds_brought_many(t, (const void *)arg[i], (uint32_t)result);
	}
	/* of a system call by number, which may be of any kind */
	if (desc->result == IOT_R_COUNT && result >= iot_log_near && result <= iot_log_fd() + 1 &&
		 iot_sys_fcntl(result, F_GETFD, 0) >= 0)
		iot_log_avoid(result);
}

static void opened(struct iot_thread *t, const struct iot_desc *desc, int fd, const uint64_t *arg,
		   const struct iot_draft *d)
{
	iot_log_reached(fd);
	if (!d->name) {
		iot_fd_closed(t, fd);
		return;
	}
	if (is_nameless(desc, arg)) {
		iot_fd_opened_nameless(t, fd, appends(desc, arg));
		return;
	}
	iot_fd_opened(t, fd, &d->path, d->name, d->name_len, appends(desc, arg));
	if (desc->family == IOT_STDIO)
		iot_fd_shared(fd);
	if (d->given && !(t->flags & IOT_APART))
		iot_opened_note(d->given, d->serial, fd, &d->path);
}

static void controlled(struct iot_thread *t, int fd, const uint64_t *arg, int result)
{
	int command = (int)arg[1];

	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
		if (result < iot_log_fd())
			iot_log_reached(result);
		iot_fd_dup(t, fd, result);
	} else if (command == F_SETFL) {
		iot_fd_appends(fd, (int)arg[2] & O_APPEND);
	}
}

/* What memory has, and where code lies. */
static void changed_memory(struct iot_thread *t, const struct iot_call *c, uintptr_t result, const uint64_t *arg)
{
	switch (iot_effect(c->desc)) {
	case IOT_E_MAP:
		/* with MAP_FIXED in place of what was there */
		iot_mapped_forget(result, arg[1]);
		if (iot_linux_aio_unmapped)
			iot_linux_aio_unmapped(result, arg[1], 0);
		if (arg[3] & MAP_ANONYMOUS)
			break;
		iot_mapped_note(result, arg[1]);
		if (iot_faults_mapped)
			iot_faults_mapped();
		break;
	case IOT_E_UNMAP:
		iot_mapped_forget((uintptr_t)arg[0], arg[1]);
		if (iot_linux_aio_unmapped)
			iot_linux_aio_unmapped((uintptr_t)arg[0], arg[1], 0);
		break;
	case IOT_E_REMAP:
		iot_mapped_forget((uintptr_t)arg[0], arg[1]);
		iot_mapped_note(result, arg[2]);
		if (iot_linux_aio_unmapped)
			iot_linux_aio_unmapped((uintptr_t)arg[0], arg[1], result);
		if (iot_faults_moved)
			iot_faults_moved((uintptr_t)arg[0], result, arg[2]);
		break;
	case IOT_E_DLOPEN:
		iot_rules_forget();
		iot_maps_define(t, c->start);
		if (iot_python_find)
			iot_python_find();
		break;
	default: /* dlclose */
		iot_rules_forget();
		iot_maps_closed();
		if (iot_python)
			iot_python_find();
		break;
	}
}

/* What a call that succeeded did. */
void iot_effect_do(struct iot_thread *t, const struct iot_call *c, long ret, const uint64_t *arg,
		   const struct iot_draft *d)
{
	const struct iot_desc *desc = c->desc;
	int fd = (int)iot_result_value(desc, ret, false);

	switch (iot_effect(desc)) {
	case IOT_E_OPEN:
	case IOT_E_REOPEN:
		opened(t, desc, fd, arg, d);
		break;
	case IOT_E_DUP:
		iot_log_reached(fd);
		iot_fd_dup(t, c->fd, (int)ret);
		break;
	case IOT_E_DUP2:
		iot_fd_dup(t, (int)arg[0], (int)arg[1]);
		break;
	case IOT_E_FCNTL:
		controlled(t, c->fd, arg, fd);
		break;
	case IOT_E_TAKES:
		iot_fd_taken((int)arg[0]);
		/* fall through */
	case IOT_E_SOCKET:
		iot_log_reached(fd);
		iot_fd_closed(t, fd);
		break;
	case IOT_E_APPEND:
		/* the stream moves it unseen */
		iot_fd_shared(c->fd);
		if (appends(desc, arg))
			iot_fd_appends(c->fd, true);
		break;
	case IOT_E_CHILD:
		iot_fds_shared();
		if (desc->result == IOT_R_FILE) {
			iot_log_reached(fd);
			iot_fd_closed(t, fd);
		}
		break;
	case IOT_E_MAKES:
		made(t, desc, arg, fd);
		break;
	case IOT_E_SEEK:
		iot_fd_seek(t, c->fd, (uint64_t)ret);
		break;
	case IOT_E_CHDIR:
		iot_cwd_changed();
		break;
	case IOT_E_RENAME:
		iot_cwd_renamed();
		break;
	case IOT_E_UNSHARE:
		unshared(t, arg[0]);
		break;
	case IOT_E_MAP:
	case IOT_E_UNMAP:
	case IOT_E_REMAP:
	case IOT_E_DLOPEN:
	case IOT_E_DLCLOSE:
		changed_memory(t, c, (uintptr_t)ret, arg);
		break;
	case IOT_E_NONE:
	case IOT_E_RING:
	case IOT_E_CLOSE:
	case IOT_E_MOVES:
		break;
	}
}
