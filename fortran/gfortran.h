/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gfortran.h - what compiled Fortran passes to gfortran's runtime (libgfortran.so.5),
 * as far as it is looked at.  t/fortran/fortran.t compares it with what the installed
 * compiler makes.
 */
#ifndef IOT_GFORTRAN_H
#define IOT_GFORTRAN_H

#include "wrap.h"

/* flags of every statement; those of one kind begin at bit 7 */
#define IOT_F_RESULT	   3u		/* 0, or: */
#define IOT_F_ERROR	   1u
#define IOT_F_END	   2u
#define IOT_F_EOR	   3u
#define IOT_F_ERR	   (1u << 2)	/* ERR=: the program goes on there */
#define IOT_F_IOSTAT	   (1u << 5)
#define IOT_F_IOMSG	   (1u << 6)
#define IOT_F_OS_ERROR	   5000		/* the runtime's number for an errno */
#define IOT_F_NO_ERROR	   5100		/* and a number that is above its errors' */
#define IOT_F_OPEN_RECL	   (1u << 7)
#define IOT_F_OPEN_FILE	   (1u << 8)
#define IOT_F_OPEN_STATUS  (1u << 9)
#define IOT_F_OPEN_ACCESS  (1u << 10)
#define IOT_F_OPEN_FORM	   (1u << 11)
#define IOT_F_OPEN_BLANK   (1u << 12)
#define IOT_F_OPEN_POSITION (1u << 13)
#define IOT_F_OPEN_ACTION  (1u << 14)
#define IOT_F_OPEN_DELIM   (1u << 15)
#define IOT_F_OPEN_PAD	   (1u << 16)
#define IOT_F_OPEN_CONVERT (1u << 17)
#define IOT_F_OPEN_DECIMAL (1u << 18)
#define IOT_F_OPEN_ENCODING (1u << 19)
#define IOT_F_OPEN_ROUND   (1u << 20)
#define IOT_F_OPEN_SIGN	   (1u << 21)
#define IOT_F_OPEN_ASYNC   (1u << 22)
#define IOT_F_OPEN_NEWUNIT (1u << 23)
#define IOT_F_OPEN_READONLY (1u << 24)
#define IOT_F_OPEN_CONTROL (1u << 25)
#define IOT_F_OPEN_SHARE   (1u << 26)
#define IOT_F_CLOSE_STATUS (1u << 7)
#define IOT_F_INQUIRE_FILE (1u << 14)
#define IOT_F_DT_LIST	   (1u << 7)
#define IOT_F_DT_REC	   (1u << 9)
#define IOT_F_DT_SIZE	   (1u << 10)
#define IOT_F_DT_FORMAT	   (1u << 12)
#define IOT_F_DT_ADVANCE   (1u << 13)
#define IOT_F_DT_INTERNAL  (1u << 14)
#define IOT_F_DT_NAMELIST  (1u << 15)
#define IOT_F_DT_ID	   (1u << 16)
#define IOT_F_DT_POS	   (1u << 17)
#define IOT_F_DT_ASYNC	   (1u << 18)
#define IOT_F_WAIT_ID	   (1u << 7)

struct iot_f_common {
	uint32_t flags;
	int32_t unit;
	const char *file;		/* the source's */
	int32_t line;
	size_t iomsg_len;
	char *iomsg;
	int32_t *iostat;
};

struct iot_f_open {
	struct iot_f_common common;
	int64_t recl;
	size_t file_len;
	const char *file;
	const char *status;
	size_t status_len, access_len;
	const char *access;
	const char *form;
	size_t form_len, blank_len;
	const char *blank;
	const char *position;
	size_t position_len, action_len;
	const char *action;
	const char *delim;
	size_t delim_len, pad_len;
	const char *pad;
	const char *convert;
	size_t convert_len, decimal_len;
	const char *decimal;
	const char *encoding;
	size_t encoding_len, round_len;
	const char *round;
	const char *sign;
	size_t sign_len, async_len;
	const char *async;
	int32_t *newunit;
	int32_t readonly;
	size_t control_len;
	const char *control;
	const char *share;
	size_t share_len;
};

struct iot_f_close {
	struct iot_f_common common;
	const char *status;
	size_t status_len;
};

struct iot_f_inquire {
	struct iot_f_common common;
	void *exist, *opened, *number, *named, *nextrec, *recl, *pos;
	const char *file;
	size_t file_len;
};

struct iot_f_wait {
	struct iot_f_common common;
	const int32_t *id;
};

struct iot_f_dt {
	struct iot_f_common common;
	int64_t rec;
	const void *size, *iolength, *internal;
	const char *format;
	size_t format_len, advance_len;
	const char *advance;
	const char *internal_unit;
	size_t internal_unit_len, namelist_len;
	const char *namelist;
	const int32_t *id;
	int64_t pos;
	const char *async;
	size_t async_len, blank_len;
	const char *blank;
	const char *decimal;
	size_t decimal_len, delim_len;
	const char *delim;
	const char *pad;
	size_t pad_len, round_len;
	const char *round;
	const char *sign;
	size_t sign_len;
	/* the runtime's own: */
	void *transfer;
	const char *current_unit;	/* see unit.c */
};

#pragma GCC visibility push(hidden)

/* statement.c: statements that are one call of the runtime.  Each has a function that
   stores its record. */
#define IOT_F_AT_MAX 512u
typedef void iot_f_record(struct iot_call *c, const void *params);
const char *iot_f_at(char *buf, const struct iot_f_common *common);
const char *iot_f_text(char *buf, size_t size, const char *s, size_t len, bool given);
enum {
	IOT_F_FORMATTED = 1, IOT_F_LIST = 2, IOT_F_NAMELIST = 4, IOT_F_BY_RECORD = 8, IOT_F_BY_BYTE = 16,
	IOT_F_NONADVANCING = 32, IOT_F_ASYNCHRONOUS = 64, IOT_F_UNFORMATTED = 128,
};
uint32_t iot_f_mode(const struct iot_f_dt *dt);
bool iot_f_enter(struct iot_call *c, const struct iot_desc *desc, const struct iot_f_common *common,
		 int fd, void *frame);
void iot_f_call(void (*real)(void *), void *params, struct iot_call *c, iot_f_record *record);
void iot_f_leave(struct iot_call *c, const struct iot_f_common *common, uint64_t *words);
bool iot_f_has_place(const struct iot_call *c);
bool iot_f_goes_on(const struct iot_call *c);
void iot_f_found(struct iot_call *c, int fd);
int iot_f_iostat(const struct iot_f_common *common);
extern __thread bool iot_f_ending;	/* the program ends within them */
void iot_f_failed(const struct iot_f_common *common, int number);
void iot_f_simple(void (*real)(void *), const struct iot_desc *desc, void *params, iot_f_record *record,
		  void *frame);
iot_f_record iot_f_record_unit;

/* Tables of units, by number: many programs number them by 10 or 100. */
#define IOT_F_UNITS 1024u

/* unit.c: what the runtime knows of a unit */
struct iot_f_where {
	int fd;				/* -1: not known, or none */
	bool internal;			/* a character variable */
	bool raw;			/* without a buffer: positions are the descriptor's */
	int64_t pos;			/* -1: not known */
	int64_t record;			/* where the part of a record begins that is written */
	int64_t recl;			/* of direct access */
	enum { IOT_F_SEQUENTIAL, IOT_F_DIRECT, IOT_F_APPEND, IOT_F_STREAM } access;
};
struct iot_f_where iot_f_where(const char *unit, int32_t number, bool reading);
bool iot_f_alone(const char *unit);
const char *iot_f_queue(const char *unit);
int iot_f_fd(int32_t unit);
int iot_f_opened(int32_t unit);
void iot_f_learn(int32_t unit, int fd);
const char *iot_f_met(int32_t unit);
void iot_f_meet(int32_t unit, const char *p);
void iot_f_forget(int32_t unit);
extern int32_t iot_f_marker;

/* fresh.c: where a unit stands that no transfer has had yet */
void iot_f_stands(int32_t unit, int64_t pos);
int64_t iot_f_fresh(int32_t unit);

/* offset.c: where a unit's bytes lie in its file.  The offsets of a stream: */
#define IOT_F_AT(type, p, offset) (*(const type *)(const void *)((const char *)(p) + (offset)))
#define IOT_F_STREAM_BUFFERED 8		/* where what is in the buffer begins */
#define IOT_F_STREAM_PHYSICAL 16	/* where the runtime takes the descriptor to stand */
#define IOT_F_STREAM_LOGICAL  24
#define IOT_F_STREAM_BUFFER   40
#define IOT_F_STREAM_SIZE     48	/* the buffer's */
#define IOT_F_STREAM_FD	      56
#define IOT_F_STREAM_ACTIVE   60	/* bytes in it that were read */
#define IOT_F_STREAM_DIRTY    64	/* and that are to be written */
#define IOT_F_STREAM_DEVICE   72	/* and the inode behind it */
#define IOT_F_NOWHERE INT64_MIN	/* with any position: none */
/* NULL: the unit has none, or none that is known. */
const char *iot_f_stream(const char *unit);
bool iot_f_in_common(int fd);
int64_t iot_f_raw_pos(int fd, bool reading);
int64_t iot_f_shift(const char *unit, int64_t at, bool reading, bool begun);
void iot_f_forget_shift(int32_t unit);

/* transfer.c: READ and WRITE */
void iot_f_begin(void (*real)(struct iot_f_dt *), struct iot_f_dt *dt, const struct iot_desc *desc,
		 void *frame);
void iot_f_end(void (*real)(struct iot_f_dt *), struct iot_f_dt *dt);
void iot_f_transfers_end(void);
const struct iot_f_common *iot_f_transfer(void);

/* async.c: what the runtime's thread does for a unit */
uint64_t iot_f_issue(struct iot_f_dt *dt, bool reads, uint64_t start);
void iot_f_work(const char *unit, void *frame);
void iot_f_worked(void);

/* redirect.c: that thread, in gfortran's shared library; called by pthread_create.c */
bool iot_f_creates(void *fn);
void iot_f_runs(const char *unit);

#pragma GCC visibility pop

/* A statement that has nothing but a unit; moves: what it does to where that stands. */
#define IOT_F_SIMPLE(row, name, moves)                                                            \
	extern void real(void *) __asm__("__real_" #name);                                 \
	void wrap(struct iot_f_common *) __asm__("__wrap_" #name);                         \
	void wrap(struct iot_f_common *common)                                             \
	{                                                                                  \
		moves;                                                                     \
		iot_f_simple(real, &IOT_DESC_NAME(row), common, iot_f_record_unit,     \
			     __builtin_frame_address(0));                              \
	}                                                                                  \
	IOT_EXPORT(name)

/* One that transfers data: name begins it, and name_done ends it. */
#define IOT_F_TRANSFER(row, name)                                                          \
	extern void real_begin(struct iot_f_dt *) __asm__("__real_" #name);                \
	extern void real_end(struct iot_f_dt *) __asm__("__real_" #name "_done");          \
	void begin(struct iot_f_dt *) __asm__("__wrap_" #name);                            \
	void end(struct iot_f_dt *) __asm__("__wrap_" #name "_done");                      \
	void begin(struct iot_f_dt *dt)                                                    \
	{                                                                                  \
		iot_f_begin(real_begin, dt, &IOT_DESC_NAME(row), __builtin_frame_address(0)); \
	}                                                                                  \
	IOT_EXPORT(name)                                                                   \
	void end(struct iot_f_dt *dt)                                                      \
	{                                                                                  \
		iot_f_end(real_end, dt);                                                   \
	}                                                                                  \
	IOT_EXPORT(name##_done)

#endif
