/* SPDX-License-Identifier: BSD-3-Clause */
/* statement.c - what all statements have in common, and those that are one call. */
#include <limits.h>
#include <string.h>
#include <sys/uio.h>

#include "gfortran.h"
#include "paths.h"
#include "text.h"

/* "file.f90:12", from what the compiler tells the runtime for its messages. */
const char *iot_f_at(char *buf, const struct iot_f_common *common)
{
	struct iot_text x = { .buf = buf, .cap = IOT_F_AT_MAX - 1 };

	/* the end of a long one tells more */
	if (common->file) {
		size_t n = strlen(common->file);

		iot_puts(&x, common->file + (n > IOT_F_AT_MAX - 16 ? n - (IOT_F_AT_MAX - 16) : 0));
	}
	iot_puts(&x, ":");
	iot_putu(&x, (uint64_t)common->line);
	buf[x.len] = 0;
	return buf;
}

/* A character value without the blanks at its end, or NULL. */
const char *iot_f_text(char *buf, size_t size, const char *s, size_t len, bool given)
{
	if (!given || !s)
		return NULL;
	while (len && s[len - 1] == ' ')
		len--;
	if (len > size - 1)
		len = size - 1;
	memcpy(buf, s, len);
	buf[len] = 0;
	return buf;
}

/* How it transfers. */
uint32_t iot_f_mode(const struct iot_f_dt *dt)
{
	uint32_t flags = dt->common.flags, mode;

	mode = flags & IOT_F_DT_LIST	 ? IOT_F_LIST :
	       flags & IOT_F_DT_NAMELIST ? IOT_F_NAMELIST :
	       flags & IOT_F_DT_FORMAT	 ? IOT_F_FORMATTED :
					   IOT_F_UNFORMATTED;
	if (flags & IOT_F_DT_REC)
		mode |= IOT_F_BY_RECORD;
	if (flags & IOT_F_DT_ADVANCE && dt->advance_len && (*dt->advance | 32) == 'n')
		mode |= IOT_F_NONADVANCING;
	if (flags & IOT_F_DT_ASYNC && dt->async_len && (*dt->async | 32) == 'y')
		mode |= IOT_F_ASYNCHRONOUS;
	return mode;
}

bool iot_f_enter(struct iot_call *c, const struct iot_desc *desc, const struct iot_f_common *common,
		 int fd, void *frame)
{
	char at[IOT_F_AT_MAX];
	struct iot_thread *t;

	if (!iot_enter(c, desc, 0, fd, frame))
		return false;
	t = c->t;
	if (common && c->depth < IOT_MAX_SLOTS && !c->silent) {
		iot_busy(t);
		iot_slots(t)[c->depth].name = iot_name_intern(t, iot_f_at(at, common));
		iot_idle(t);
	}
	return true;
}

/* What the settings say of the file, which is known only now. */
void iot_f_found(struct iot_call *c, int fd)
{
	struct iot_thread *t = c->t;
	struct iot_fd *e;

	if (t->state != IOT_IDLE || c->generation != iot_each.generation)
		return;
	iot_busy(t);
	e = iot_fd_get(t, fd);
	c->handle = e->handle;
	c->silent |= e->flags & IOT_FD_UNTRACED;
	if (e->flags)
		c->stack = 0;
	if (c->depth < IOT_MAX_SLOTS) {
		iot_slots(t)[c->depth].handle = c->handle;
		iot_slots(t)[c->depth].stack = c->stack;
	}
	iot_idle(t);
}

__thread bool iot_f_ending;
/* The last error of the runtime's on this thread, where it tells, and of what. */
static __thread const struct iot_f_common *failed;
static __thread int failed_number;

void iot_f_failed(const struct iot_f_common *common, int number)
{
	failed = common;
	failed_number = number;
}

/* The statement that this thread is in, of those that are one call. */
static __thread struct {
	struct iot_call call;
	const void *params;
	iot_f_record *record;
	int not_opened;			/* why its last open failed, or 0 */
} now;

/* What libc was last asked for, beneath a statement, and could not do: the errno. */
static __thread int last_errno;

#ifdef IOT_DYNAMIC
extern void generate(struct iot_f_common *common, int number, const char *message)
	__asm__("_gfortran_generate_error") __attribute__((weak));

/* Messages that say more than their number does: these have that one.  Others may have
   several.  IOT_F_OS_ERROR: the errno. */
static const struct {
	const char *like;
	int number;
} messages[] = {
	{ "*\n*^", 5006 },
	{ "Problem in CLOSE", IOT_F_OS_ERROR },
	{ "File cannot be deleted", IOT_F_OS_ERROR },
	{ "* in item * of list input", 5010 },
	{ "* while reading item *", 5010 },
	{ "Bad * item *", 5010 },
	{ "Bad value *", 5010 },
	{ "Read * item *", 5010 },
	{ "Error during floating point read", 5010 },
	{ "Bad * parameter in *", 5002 },
	{ "Bad unit number in *", 5002 },
	{ "Cannot change *", 5002 },
	{ "Can't KEEP *", 5002 },
	{ "Record number too large", 5002 },
	{ "Non-existing record number", 5002 },
	{ "Cannot read from file *", 5007 },
	{ "Cannot write to file *", 5007 },
	{ "*requires record number", 5003 },
	{ "* requires an ADVANCE *", 5003 },
	{ "ADVANCE specification *", 5001 },
	{ "* conflicts with UNFORMATTED *", 5001 },
	{ "Sequential READ or WRITE not allowed *", 5001 },
	{ "Record number not allowed *", 5001 },
	{ "Format present for *", 5001 },
	{ "Missing format for *", 5001 },
};

static bool is_like(const char *like, const char *s)
{
	while (*like && *like != '*') {
		if (*like++ != *s++)
			return false;
	}
	if (!*like)
		return !*s;
	do {
		if (is_like(like + 1, s))
			return true;
	} while (*s++);
	return false;
}

/* Whether this is what the runtime says of an error's number, or of an errno. */
static bool is_said_of(int number, const char *message)
{
	size_t len = strlen(message);
	char said[128];
	int32_t iostat;
	struct iot_f_common own = { .flags = IOT_F_IOSTAT | IOT_F_IOMSG | IOT_F_ERR, .iomsg = said,
				    .iomsg_len = sizeof(said), .iostat = &iostat };

	memset(said, ' ', sizeof(said));
	errno = number;
	generate(&own, number < IOT_F_OS_ERROR ? IOT_F_OS_ERROR : number, NULL);
	if (!len || len >= sizeof(said) || memcmp(said, message, len))
		return false;
	while (len < sizeof(said) && said[len] == ' ')
		len++;
	return len == sizeof(said);
}

/* The number of an error by its message, or 0. */
static int number_of(const char *message)
{
	for (uint32_t i = 0; i < sizeof(messages) / sizeof(*messages); i++) {
		if (is_like(messages[i].like, message))
			return messages[i].number == IOT_F_OS_ERROR ? last_errno : messages[i].number;
	}
	if (!generate)
		return 0;
	if (last_errno && is_said_of(last_errno, message))
		return last_errno;
	/* that of all numbers that mean nothing */
	if (is_said_of(IOT_F_NO_ERROR, message))
		return 0;
	for (int n = IOT_F_OS_ERROR + 1; n < IOT_F_NO_ERROR; n++) {
		if (is_said_of(n, message))
			return n;
	}
	return 0;
}

/* The program is told nothing, and would end: before that the runtime writes to standard
   error, in three parts, and the second is the message. */
static void listen(const struct iot_f_common *common, const struct iovec *iov, uint64_t n)
{
	static const char before[] = "Fortran runtime error: ";
	int was = errno;

	if (n != 3 || iov[0].iov_len != sizeof(before) - 1 || memcmp(iov[0].iov_base, before, sizeof(before) - 1))
		return;
	failed_number = number_of(iov[1].iov_base);
	failed = failed_number ? common : NULL;
	errno = was;
}

/* Whether the runtime has found an error for which the program ends. */
static bool is_fatal(const struct iot_f_common *common)
{
	return (common->flags & (IOT_F_RESULT | IOT_F_ERR | IOT_F_IOSTAT)) == IOT_F_ERROR;
}

/* libc's calls, beneath statements: those that failed, and all that open or write several
   parts.  The error of an OPEN's last open is the OPEN's own.  What comes when the runtime
   has found an error, for its message, is none of that. */
void iot_f_beneath(const struct iot_call *c, const uint64_t *arg)
{
	const struct iot_f_common *common = now.record ? now.params : iot_f_transfer();

	if (!common)
		return;
	if (!is_fatal(common)) {
		if (c->err)
			last_errno = c->err;
		if (now.record && iot_effect(c->desc) == IOT_E_OPEN)
			now.not_opened = c->err;
	} else if (c->desc->kind[1] == IOT_K_IOV) {
		listen(common, (const struct iovec *)(uintptr_t)arg[1], arg[2]);
	}
}
#endif

/* The number of an error that ends the program, of which only the runtime was told. */
static int fatal(const struct iot_f_common *common)
{
	if (failed == common)
		return failed_number;
	return now.record && now.params == common && now.not_opened ? now.not_opened : INT_MAX;
}

/* As the program is told, or would be: 0, an errno, the runtime's number of an error,
   -1 for the end of the file, -2 for that of the record.  INT_MAX: an error that only
   the runtime knows. */
int iot_f_iostat(const struct iot_f_common *common)
{
	switch (common->flags & IOT_F_RESULT) {
	case IOT_F_END:
		return -1;
	case IOT_F_EOR:
		return -2;
	case IOT_F_ERROR:
		if (common->flags & IOT_F_IOSTAT && common->iostat)
			return *common->iostat;
		return iot_f_ending ? fatal(common) : INT_MAX;
	}
	return 0;
}

/* words: the record's; the first is for the place, the last for the iostat. */
void iot_f_leave(struct iot_call *c, const struct iot_f_common *common, uint64_t *words)
{
	int iostat = iot_f_iostat(common), was = errno;
	char at[IOT_F_AT_MAX];

	words[0] = (uintptr_t)iot_f_at(at, common);
	words[c->desc->n - 1] = iostat == INT_MAX ? 0 : (uint64_t)(long)iostat;
	iot_leave_status(c, iostat > 0 ? -1 : 0, iostat > 0 && iostat < 4096 ? iostat : 0, words,
			 iot_f_ending ? IOT_ST_NORETURN : IOT_ST_FINISHED);
	c->t = NULL;
	errno = was;
}

/* In which the program may end. */
void iot_f_call(void (*real)(void *), void *params, struct iot_call *c, iot_f_record *record)
{
	now.record = NULL;
	iot_barrier();
	now.call = *c;
	now.params = params;
	now.not_opened = last_errno = 0;
	iot_barrier();
	now.record = record;
	real(params);
	now.record = NULL;
}

/* Whether a call that was begun by this thread has its place, still. */
bool iot_f_has_place(const struct iot_call *c)
{
	const struct iot_thread *t = iot_mine();

	return c->t && c->t == t && c->generation == iot_each.generation && c->depth < t->depth &&
	       c->depth < IOT_MAX_SLOTS && iot_slots(t)[c->depth].start == c->start;
}

/* And may have its record now. */
bool iot_f_goes_on(const struct iot_call *c)
{
	return iot_f_has_place(c) && c->t->state == IOT_IDLE;
}

/* The program ends: statements that it is within have their records now. */
void iot_f_ends(void)
{
	struct iot_call c = now.call;

	iot_f_ending = true;
	iot_f_transfers_end();
	if (now.record && iot_f_goes_on(&c))
		now.record(&c, now.params);
	iot_f_ending = false;
}

/* Of one that has nothing but a unit. */
void iot_f_record_unit(struct iot_call *c, const void *params)
{
	const struct iot_f_common *common = params;
	/* id: of a transfer, which is WAIT's alone; others have the iostat there */
	uint64_t words[4] = { 0, (uint64_t)common->unit, (uint64_t)(long)INT_MIN };

	iot_f_leave(c, common, words);
}

void iot_f_simple(void (*real)(void *), const struct iot_desc *desc, void *params, iot_f_record *record,
		  void *frame)
{
	const struct iot_f_common *common = params;
	struct iot_call c IOT_CLEANUP;

	if (!iot_f_enter(&c, desc, common, iot_f_fd(common->unit), frame)) {
		real(params);
		return;
	}
	iot_f_call(real, params, &c, record);
	record(&c, params);
}
