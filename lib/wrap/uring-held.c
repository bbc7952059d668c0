/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring-held.c - completions that the kernel holds back, since an io_uring's queue for them is
 * full.  They come into the queue when the program has taken others and makes a call.  When it
 * closes the ring or ends before that, the kernel says in /proc what they are.
 */
#include "uring.h"

#include "lend.h"
#include "lost.h"
#include "sys.h"
#include "text.h"
#include "uring-ring.h"

bool iot_uring_is_full(const struct iot_ring *r)
{
	uint32_t flags;

	return iot_ring_word(r, r->sq, r->sq_flags, &flags) && flags & IOT_SQ_CQ_OVERFLOW;
}

/* The number behind that text, where p is moved to its end; base 10 or 16. */
static bool number(const char **p, const char *text, unsigned int base, uint64_t *to)
{
	bool minus, any = false;

	for (; *text; text++, (*p)++)
		if (**p != *text)
			return false;
	minus = **p == '-';
	*p += minus;
	for (*to = 0;; any = true, (*p)++) {
		unsigned int c = (unsigned char)**p, digit = c - '0' < 10 ? c - '0' : c - 'a' < 6 ? c - 'a' + 10 : 16;

		if (digit >= base)
			break;
		*to = *to * base + digit;
	}
	if (minus)
		*to = -*to;
	return any;
}

/* "  user_data=108, res=-2, flags=0"; other lines say other things. */
static bool parse(const char *line, struct iot_cqe *cqe)
{
	uint64_t data, res, flags;

	if (!number(&line, "  user_data=", 10, &data) || !number(&line, ", res=", 10, &res) ||
	    !number(&line, ", flags=", 16, &flags))
		return false;
	*cqe = (struct iot_cqe){ data, (int32_t)res, ((uint32_t)flags & IOT_CQE_FLAGS) | IOT_CQE_HELD };
	return true;
}

/* Each line of the file; of a longer one its beginning.  Returns how many were completions. */
static uint32_t read_lines(const struct iot_call *c, struct iot_ring *r, const char *name)
{
	int fd = iot_sys_openat(AT_FDCWD, name, O_RDONLY | O_CLOEXEC, 0);
	char part[256], line[128];
	uint32_t n = 0, found = 0;
	struct iot_cqe cqe;
	long got;

	while (fd >= 0 && (got = iot_syscall(SYS_read, (long)fd, part, sizeof(part))) > 0)
		for (long i = 0; i < got; i++) {
			if (part[i] != '\n') {
				if (n < sizeof(line) - 1)
					line[n++] = part[i];
				continue;
			}
			line[n] = '\0';
			n = 0;
			if (!parse(line, &cqe))
				continue;
			found += iot_uring_complete(c, r, &cqe, NULL, iot_ticks());
		}
	if (fd >= 0)
		iot_sys_close(fd);
	return found;
}

struct looking {
	const struct iot_call *c;
	struct iot_ring *r;
	const char *name;
	uint32_t found;
};

static void look(void *arg)
{
	struct looking *l = arg;

	l->found = read_lines(l->c, l->r, l->name);
}

static void count(const struct iot_operation *op, void *n)
{
	(void)op;
	++*(uint32_t *)n;
}

void iot_uring_held(const struct iot_call *c, struct iot_ring *r)
{
	char name[64];
	struct iot_text x = { name, 0, sizeof(name) };
	struct looking l = { c, r, name, 0 };
	uint32_t left = 0;

	if (!iot_uring_is_full(r))
		return;
	/* the caller's descriptors: who looks has none, and the first thread may have ended */
	iot_puts(&x, "/proc/self/task/");
	iot_putu(&x, (uint32_t)iot_sys_gettid());
	iot_puts(&x, "/fdinfo/");
	iot_putu(&x, (uint32_t)r->fd);
	iot_putn(&x, "", 1);
	if (r->fd >= 0 && iot_sys_allowed(SYS_read))
		iot_unseen(look, &l);
	/* the program may end in steps, and take them meanwhile */
	r->told |= l.found;
	if (l.found || r->shared)
		return;
	/* as many as that, or fewer */
	iot_line_each(r->line, (uintptr_t)r, count, &left);
	if (left)
		iot_lost(left, IOT_LOST_QUEUE);
}
