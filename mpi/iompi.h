/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iompi.h - what the wrappers of MPI's calls, generated or written by hand, share.
 * All of mpi/ is compiled once for each MPI, with its mpi.h.
 *
 * A wrapper stands in front of the C binding's MPI_X and PMPI_X: the Fortran
 * bindings of both MPIs end in one of them.  What an MPI calls within such a call
 * is its own business and not recorded.
 *
 * Nothing here may change what the program gets: calls of MPI for our own needs
 * are local, are made with arguments that are known to be good, since an error
 * would go to the program's error handler, and only between MPI_Init and
 * MPI_Finalize, where the wrapped call is.
 */
#ifndef IOMPI_H
#define IOMPI_H

#include <limits.h>
#include <mpi.h>

#include "paths.h"
#include "wrap.h"
#include "mpi-ids.h"
#include "pmpi.h"

#pragma GCC visibility push(hidden)

/* MPI_BYTE and its like are objects of Open MPI's library, which is not there to be
   referred to when we are preloaded. */
#if defined(IOT_DYNAMIC) && defined(OMPI_PREDEFINED_GLOBAL)
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global)                                               \
	({                                                                                 \
		static void *at_##global;                                                  \
		if (!at_##global)                                                          \
			at_##global = iot_mpi_object(#global);                             \
		(type)at_##global;                                                         \
	})
#endif

/* Handles as wrappers pass them on: what another MPI gave to its program may be wider
   than ours. */
#define IOT_WIDE(type) __typeof__(__builtin_choose_expr(sizeof(type) < sizeof(long), 0L, (type)0))
typedef IOT_WIDE(MPI_Comm) iot_comm;
typedef IOT_WIDE(MPI_Datatype) iot_type;
typedef IOT_WIDE(MPI_Errhandler) iot_errhandler;
typedef IOT_WIDE(MPI_Info) iot_info;
typedef IOT_WIDE(MPI_Op) iot_op;
typedef IOT_WIDE(MPI_Group) iot_group;
typedef IOT_WIDE(MPI_Request) iot_request;
typedef IOT_WIDE(MPI_Win) iot_win;

#define IOT_MPI_TEXT	4096u		/* of a type, or a view: what can be interned */
#define IOT_MPI_INFO	1000
#define IOT_MPI_NONE	INT_MIN	/* no rank, no tag */

/* A communicator, as the log has it.  What is known of one stays when it is freed. */
struct iot_mpi_comm {
	int size, rank, remote;		/* remote: processes of the other group; 0: there is none */
	int near;			/* neighbours to give something to; -1: not asked for */
	uint64_t edge;			/* a bit for those that there are not: a grid's edge */
	uint32_t windows;		/* made of it so far */
	struct iot_kept name;
	char text[];
};

/* An operation that another call will complete. */
struct iot_mpi_op {
	uintptr_t key;			/* MPI_Request */
	uint64_t number;		/* from 1; 0: none */
	uint64_t start;			/* ticks */
	uint64_t offset, size;
	struct iot_mpi_comm *on;	/* of no file: on which communicator, */
	int peer, tag;			/* with whom */
	bool receives;			/* its end knows better */
	const MPI_Comm *coming;		/* where its end has made that */
	struct iot_mpi_comm *came;
	uintptr_t lasting;		/* the key of one that can be started again and again, */
	bool active;			/* and is */
	const struct iot_desc *by;	/* the call that began it */
	uint32_t generation;
	uint32_t handle;
	bool silent;			/* of a file that is not traced */
};

/* An open file.  Belongs to the thread that is in a call on it, as far as MPI
   lets only one be in there; text is terminated whatever two of them make of it. */
struct iot_mpi_file {
	uintptr_t key;			/* MPI_File */
	uint32_t generation;		/* of the process that opened it */
	uint32_t handle;
	uint32_t flags;			/* IOT_FD_* */
	int comm_size, comm_rank;
	int amode;
	char view[IOT_MPI_TEXT];
	struct iot_mpi_op split;	/* MPI allows one at a time */
};

/* A call in progress: what its record will say beyond struct iot_call. */
struct iot_mpi {
	struct iot_mpi_file *file;	/* NULL: not known */
	uint64_t offset;		/* absolute, in bytes */
	uint64_t size;			/* asked for */
	uint64_t op;			/* number of the operation that it begins or ends; */
	uint64_t elapsed;		/* ticks when that one began */
	int completed;			/* so many operations */
	int comm_size, comm_rank;
	struct iot_mpi_comm *on, *came;	/* came: what the end of a request makes */
	const MPI_Comm *coming;		/* there */
	/* names of communicators, a window, the call that began it; NULL: not known */
	struct iot_kept *comm, *made, *win, *issued;
	int peer, tag;
	bool received;			/* these are what came */
	bool receives;			/* these are what is wanted */
	int amode;
	const char *view, *info, *type, *etype;	/* text; NULL: not known */
	int err;			/* errno as the call left it */
	uint32_t error;			/* 0, or what the record has for errno */
	bool nowhere;			/* no file, and no MPI that could be asked */
	bool valid;			/* MPI has found nothing wrong with the arguments */
	long result;
	char type_text[IOT_MPI_TEXT];
	char assertion[48];
};

/* ours.c: whether the MPI that runs is the one that this was compiled for.  Preloaded,
   we can come into the process of another, which must not notice. */
#ifdef IOT_DYNAMIC
bool iot_mpi_ours(void);
void *iot_mpi_object(const char *name);
#else
static inline bool iot_mpi_ours(void)
{
	return true;
}
#endif

/* readable.c: whether MPI can read there, before it does */
bool iot_mpi_is_readable(const void *p, size_t n);
bool iot_mpi_fetch(void *to, const void *from, size_t n);
void iot_mpi_readable_forget(void);

/* call.c */
bool iot_mpi_again(const struct iot_desc *desc, const void *frame);
bool iot_mpi_inside(const void *frame);
void iot_mpi_clear(struct iot_mpi *m);
bool iot_mpi_is_there(void);
bool iot_mpi_begin(struct iot_call *c, struct iot_mpi *m, const struct iot_desc *desc, void *frame);
bool iot_mpi_talks(struct iot_call *c, struct iot_mpi *m, const struct iot_desc *desc, void *frame);
bool iot_mpi_enter(struct iot_call *c, struct iot_mpi *m, const struct iot_desc *desc, MPI_File fh,
		   void *frame);
void iot_mpi_at(struct iot_mpi *m, MPI_File fh, MPI_Offset offset);
void iot_mpi_at_pointer(struct iot_mpi *m, MPI_File fh);
void iot_mpi_back(struct iot_mpi *m, int ret);
const char *iot_mpi_given(const struct iot_mpi *m, const char *text);
void iot_mpi_typed(struct iot_mpi *m, MPI_Datatype type);
void iot_mpi_hints(struct iot_mpi *m, char *buf, MPI_Info info);
void iot_mpi_asked(struct iot_mpi *m, MPI_Count count, MPI_Datatype type);
void iot_mpi_moved(struct iot_mpi *m, MPI_Status *status);
void iot_mpi_leave(struct iot_call *c, struct iot_mpi *m, const uint64_t *words);

void iot_mpi_on(struct iot_call *c, uint32_t handle, bool silent);

/* comm.c: calls that are about no file */
void iot_mpi_on_comm(struct iot_mpi *m, MPI_Comm comm);
void iot_mpi_comm_made(struct iot_mpi *m, const MPI_Comm *comm);
void iot_mpi_comm_comes(struct iot_mpi *m, MPI_Comm on, const MPI_Comm *comm);
void iot_mpi_comm_came(const struct iot_mpi_op *op);
void iot_mpi_comm_goes(struct iot_mpi *m, const MPI_Comm *comm);
void iot_mpi_set_comm(struct iot_mpi *m, struct iot_mpi_comm *c);
const char *iot_mpi_group_name(struct iot_mpi *m, MPI_Group group);
/* The table's key: handles are small, and odd, in some MPIs. */
static inline uintptr_t iot_mpi_key(uintptr_t handle)
{
	return handle << 2 | 2;
}

/* message.c */
void iot_mpi_with(struct iot_mpi *m, int peer, int tag);
void iot_mpi_ended(struct iot_mpi *m, const struct iot_mpi_op *op, MPI_Status *status);
void iot_mpi_received(struct iot_mpi *m, MPI_Status *status);
void iot_mpi_match(struct iot_mpi *m, const MPI_Message *message);
void iot_mpi_matched(struct iot_mpi *m, const MPI_Message *message);
int iot_mpi_rank(int rank);
int iot_mpi_tag(int tag);

/* start.c */
void iot_mpi_starts(struct iot_mpi *m, const struct iot_call *c, const MPI_Request *request);
void iot_mpi_goes_on(struct iot_mpi *m, MPI_Request request);

/* win.c */
void iot_mpi_win_made(struct iot_mpi *m, const MPI_Win *win);
void iot_mpi_on_win(struct iot_mpi *m, MPI_Win win);
void iot_mpi_win_goes(struct iot_mpi *m, const MPI_Win *win);
const char *iot_mpi_lock_name(int lock);
const char *iot_mpi_assertion(struct iot_mpi *m, int assertion);

static inline bool iot_mpi_waits(void)
{
	return iot_unlikely(iot_families >> IOT_MPI & 1);
}

/* sizes.c: bytes that this process gives or gets; how often each is an array of int or,
   in calls with large counts, of MPI_Count */
struct iot_mpi_counts {
	const void *at;
	bool large;
};
#define IOT_MPI_COUNTS(counts)                                                             \
	((struct iot_mpi_counts){ counts, sizeof(*(counts)) == sizeof(MPI_Count) })
void iot_mpi_message(struct iot_mpi *m, int peer, MPI_Count count, MPI_Datatype type);
void iot_mpi_rooted(struct iot_mpi *m, int root, MPI_Count count, MPI_Datatype type);
void iot_mpi_local(struct iot_mpi *m, MPI_Count count, MPI_Datatype type);
void iot_mpi_local_v(struct iot_mpi *m, struct iot_mpi_counts counts, MPI_Datatype type);
void iot_mpi_part(struct iot_mpi *m, int root, const void *buf, MPI_Count count, MPI_Datatype type, MPI_Count other_count,
		  MPI_Datatype other);
void iot_mpi_part_v(struct iot_mpi *m, int root, const void *buf, MPI_Count count, MPI_Datatype type,
		    struct iot_mpi_counts other_counts, MPI_Datatype other);
void iot_mpi_all(struct iot_mpi *m, const void *buf, MPI_Count count, MPI_Datatype type, MPI_Count other_count,
		 MPI_Datatype other);
void iot_mpi_all_v(struct iot_mpi *m, const void *buf, struct iot_mpi_counts counts, MPI_Datatype type,
		   struct iot_mpi_counts other_counts, MPI_Datatype other);
void iot_mpi_all_w(struct iot_mpi *m, const void *buf, struct iot_mpi_counts counts, const MPI_Datatype *types,
		   struct iot_mpi_counts other_counts, const MPI_Datatype *others);
void iot_mpi_near(struct iot_mpi *m, MPI_Comm comm, MPI_Count count, MPI_Datatype type);
void iot_mpi_near_v(struct iot_mpi *m, MPI_Comm comm, struct iot_mpi_counts counts, MPI_Datatype type);
void iot_mpi_near_w(struct iot_mpi *m, MPI_Comm comm, struct iot_mpi_counts counts, const MPI_Datatype *types);

/* ops.c: operations that end in another call than they begin */
void iot_mpi_split_begun(struct iot_mpi *m, const struct iot_call *c, int ret);
void iot_mpi_split_ends(struct iot_mpi *m);
void iot_mpi_issued(struct iot_mpi *m, const struct iot_call *c, int ret, const MPI_Request *request);
void iot_mpi_lasting(struct iot_mpi *m, const struct iot_call *c, int ret, const MPI_Request *request);
struct iot_mpi_op *iot_mpi_lasting_of(MPI_Request request);
struct iot_mpi_op *iot_mpi_lasting_ends(const MPI_Request *request);
void iot_mpi_op_starts(struct iot_mpi *m, struct iot_mpi_op *op, const struct iot_call *c);
void iot_mpi_op_about(struct iot_mpi *m, const struct iot_mpi_op *op);
void iot_mpi_op_gone(struct iot_mpi_op *op);
struct iot_mpi_op *iot_mpi_op_of(MPI_Request request);
struct iot_mpi_op *iot_mpi_op_at(const MPI_Request *request);
void iot_mpi_op_ends(struct iot_mpi *m, const struct iot_mpi_op *op);
/* Before MPI is called, which may give the handle to another thread as soon as the
   operation is complete; then one of the two others. */
void iot_mpi_op_take(struct iot_mpi_op *op);
void iot_mpi_op_back(struct iot_mpi_op *op, MPI_Request request);
void iot_mpi_op_forget(struct iot_mpi_op *op);
extern uint32_t iot_mpi_outstanding;

/* error.c */
uint32_t iot_mpi_error(int class);
bool iot_mpi_error_of_io(int class);

/* files.c */
struct iot_mpi_file *iot_mpi_file_find(MPI_File fh);
void iot_mpi_file_opened(struct iot_call *c, const struct iot_mpi *m, MPI_File fh, const char *name);
void iot_mpi_file_closed(struct iot_mpi_file *f);
const char *iot_mpi_file_name(const char *name);

/* type.c, info.c: text for what only MPI understands */
void iot_mpi_type_text(char *buf, uint32_t size, MPI_Datatype type);
void iot_mpi_info_text(char *buf, uint32_t size, MPI_Info info);

#pragma GCC visibility pop

#endif
