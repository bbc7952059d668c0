/* SPDX-License-Identifier: BSD-3-Clause */
/* desc.h - a row of calls.def, compiled: struct iot_desc, and the values in it. */
#ifndef IOT_DESC_H
#define IOT_DESC_H

#include <stdint.h>

enum iot_family {
#define IOT_FAMILY(id, ...) IOT_##id,
#include "../../table/families.def"
	IOT_N_FAMILIES
};

/* Kinds of parameters as the encoder sees them; gen.awk maps the table's many
   kinds (which matter to readers) onto these few. */
enum iot_kind {
	IOT_K_NONE,		/* not recorded */
	IOT_K_FD,		/* the record's handle */
	IOT_K_FILE,		/* the same, from a stream */
	IOT_K_DIR,		/* the same, from a directory stream */
	IOT_K_WORD,		/* as it is */
	IOT_K_INT,		/* a 32-bit value: sign-extended */
	IOT_K_UINT,		/* a 32-bit value: zero-extended */
	IOT_K_FD2,		/* handle of another descriptor */
	IOT_K_DIRFD,		/* as INT; the next relpath is relative to it */
	IOT_K_PATH,
	IOT_K_RELPATH,
	IOT_K_STR,
	IOT_K_NAME,		/* text that comes again and again: interned */
	IOT_K_KEPT,		/* the same of a struct iot_kept */
	IOT_K_SIZE,
	IOT_K_LINE,		/* the same, of a text and its newline */
	IOT_K_ITEMSIZE,
	IOT_K_ITEMS,		/* of the itemsize before it: SIZE is their product */
	IOT_K_OFFSET,
	IOT_K_OFFP,		/* pointer to an offset, which the call moves */
	IOT_K_IOV,		/* SIZE is the sum over the next parameter's many */
	IOT_K_MSG,
	IOT_K_MMSG,		/* not recorded */
	IOT_K_ADDR,		/* the bytes; the next parameter is their number */
	IOT_K_PIPEFDS,
	IOT_K_AIOCB,
	IOT_K_TIMESPEC,		/* ns, read before the call, which may change it */
	IOT_K_TIMEVAL,		/* the same, from microseconds */
	IOT_K_FLOCK,		/* a WORD, and of a lock what came back */
	IOT_K_VMSPLICE,		/* a UINT, and which end of a pipe the descriptor is */
	IOT_K_STAT,		/* memory of the program's that says size and mode */
	IOT_K_STATX,
	IOT_K_LOCKF,		/* an INT, and OFFSET is where the range begins */
};

enum iot_result {
	IOT_R_BYTES, IOT_R_ITEMS, IOT_R_COUNT, IOT_R_FD, IOT_R_FILE, IOT_R_DIR, IOT_R_STATUS,
	IOT_R_ERRCODE, IOT_R_PROGRESS, IOT_R_EOF, IOT_R_NONNEG, IOT_R_CHAR, IOT_R_CHARS, IOT_R_POS, IOT_R_MAP,
	IOT_R_PTR, IOT_R_TEXT, IOT_R_WTEXT, IOT_R_CWD, IOT_R_DIRENT, IOT_R_PID, IOT_R_MASK,
	IOT_R_VOID, IOT_R_NORETURN, IOT_R_NEGATIVE,
};

enum iot_effect {
	IOT_E_NONE, IOT_E_OPEN, IOT_E_CLOSE, IOT_E_DUP, IOT_E_DUP2, IOT_E_FCNTL, IOT_E_SOCKET,
	IOT_E_SEEK, IOT_E_CHDIR, IOT_E_MOVES, IOT_E_DLOPEN, IOT_E_DLCLOSE, IOT_E_REOPEN, IOT_E_APPEND,
	IOT_E_CHILD, IOT_E_MAKES, IOT_E_UNSHARE, IOT_E_MAP, IOT_E_UNMAP, IOT_E_REMAP,
	IOT_E_RING, IOT_E_TAKES, IOT_E_RENAME,
};

/* Which way bytes go through a stream's buffer: stream.h. */
enum iot_stream_way {
	IOT_S_NONE, IOT_S_IN, IOT_S_OUT, IOT_S_FLUSH, IOT_S_SEEK, IOT_S_DIRECT,
};
#define IOT_S_ASK	255u		/* as bytes: only the descriptor's offset tells */

#define IOT_D_THIN	1u	/* one nested call marked backend is not recorded */
#define IOT_D_BACKEND	2u
#define IOT_D_SEQ	4u	/* moves the file offset by its result */
#define IOT_D_OUTER	8u	/* a call within has the effect too, if that is seen */
#define IOT_D_UNLOCKED	64u	/* does not lock its stream */
#define IOT_D_UNREAD	128u	/* may succeed, or fail, without having read its name */
#define IOT_D_QUIET	256u	/* on record only if something was moved beneath */
#define IOT_D_COUNTED	512u	/* writes a message, and locks no more than that takes */
/* where IOT_LIBC_BY_NAME: */
#define IOT_D_INNER	16u	/* calls within this one are libc's own */
#define IOT_D_PARTS	32u	/* not recorded if it is libc's own: what it is made of is */

#define IOT_OWN_INSIDE	1u	/* what is done within is MPI's own */
#define IOT_OWN_POLLS	2u	/* looks for news, as MPI does by the million */

#define IOT_MAX_PARAMS	24

/* A row of calls.def, compiled.  They lie in a section of their own, so that the
   log can list those that this executable has. */
struct iot_desc {
	const char *schema;	/* what stands behind "call ID " in the header text */
	uint16_t id;
	uint8_t family;		/* enum iot_family */
	uint8_t result;		/* enum iot_result */
	uint8_t effect;		/* enum iot_effect */
	uint16_t flags;		/* IOT_D_* */
	uint8_t n;
	uint8_t opening;	/* which parameter, from 1, tells how a file is opened */
	uint8_t kind[IOT_MAX_PARAMS];
	uint16_t sys;		/* the system call that it is, its number + 1; 0: none */
	uint8_t stream;		/* enum iot_stream_way */
	uint8_t bytes;		/* of a call that returns none of them; 0: its result tells */
	uint8_t own;		/* IOT_OWN_* */
	uint8_t puts;		/* writes at the offset that it is given, if the file is not appended
				   to: which parameter, from 1, has RWF_*, or 1; 0: it does not */
} __attribute__((aligned(32)));

#endif
