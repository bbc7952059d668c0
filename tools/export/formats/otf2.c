/* SPDX-License-Identifier: BSD-3-Clause */
/* otf2.c - a directory with an archive of the Open Trace Format 2, for Vampir, Scalasca and Cube. */
/*
 * Calls are regions that threads, the locations, enter and leave; what reads and writes is an I/O
 * operation as well, on a handle for each file and layer.  Events of a location come in the order
 * of time: calls that are in progress wait for the next one, and leave before it enters.
 */
#include "config.h"

#ifdef HAVE_OTF2
#include <errno.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

#include "../tracks.h"

#define CHUNK (256 * 1024) /* bytes of events that a location has in memory: the least there may be */

/* A call that has not been left. */
struct entered {
	uint64_t end, result, operation; /* operation 0: it is none */
	OTF2_RegionRef region;
	OTF2_IoHandleRef handle;
};

struct location { /* thread_track.user */
	OTF2_LocationRef ref;
	OTF2_EvtWriter *writer;
	struct entered *entered;
	size_t n, cap;
};

static const char *output;
static OTF2_Archive *archive;
static OTF2_GlobalDefWriter *defs;
static struct dict strings, regions, files, handles, hosts, groups;
static struct tracks tracks;
static uint64_t n_locations, n_operations;

static int first_errno; /* when the library first said that something failed; 0: it did not */

static __attribute__((noreturn)) void failed(OTF2_ErrorCode err)
{
	/* OTF2 has a name for a full disk, and does not use it */
	const bool full = first_errno == ENOSPC || first_errno == EDQUOT || first_errno == EFBIG;

	iot_die("can't write to %s: %s", output, full ? strerror(first_errno) : OTF2_Error_GetDescription(err));
}

static void check(OTF2_ErrorCode err)
{
	if (err != OTF2_SUCCESS)
		failed(err);
}

/* Its own messages have several lines: check() has one. */
static OTF2_ErrorCode on_error(void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode err,
			       const char *format, va_list ap)
{
	(void)data, (void)file, (void)line, (void)function, (void)format, (void)ap;
	if (!first_errno)
		first_errno = errno;
	return err;
}

/* ---- definitions ---- */

static OTF2_StringRef string_n(const char *s, size_t len)
{
	bool is_new;
	uint64_t n = strings.n, *ref = iot_dict(&strings, s, len, &is_new);
	char *copy;

	if (!is_new)
		return (OTF2_StringRef)*ref;
	copy = strndup(s, len);
	if (!copy)
		iot_no_memory();
	check(OTF2_GlobalDefWriter_WriteString(defs, (OTF2_StringRef)(*ref = n), copy));
	free(copy);
	return (OTF2_StringRef)n;
}

static OTF2_StringRef string(const char *s)
{
	return string_n(s, strlen(s));
}

static bool is_mpi(const char *family)
{
	return !strncmp(family, "mpi", 3);
}

static OTF2_RegionRef region(const struct iotr_call *call)
{
	const struct iotr_schema *schema = call->schema;
	char name[200];
	const int len = snprintf(name, sizeof(name), "%.100s%s", schema->name, call->inferred ? IOT_EXPORT_INFERRED : "");
	bool is_new;
	uint64_t n = regions.n, *ref = iot_dict(&regions, name, (size_t)len, &is_new);

	if (!is_new)
		return (OTF2_RegionRef)*ref;
	*ref = n;
	check(OTF2_GlobalDefWriter_WriteRegion(defs, (OTF2_RegionRef)n, string(name), string(name),
					       string(schema->family), OTF2_REGION_ROLE_FILE_IO,
					       is_mpi(schema->family) ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
					       OTF2_REGION_FLAG_NONE, string(""), 0, 0));
	return (OTF2_RegionRef)n;
}

/* Layers have handles of their own, so that what two of them move is not added up. */
enum { SYSTEM, LIBRARY, MPI, N_PARADIGMS };

static void define_paradigms(void)
{
	static const char *const ids[] = {[SYSTEM] = "POSIX", [LIBRARY] = "ISOC", [MPI] = "MPI-IO"};
	static const char *const names[] = {[SYSTEM] = "system calls", [LIBRARY] = "calls above system calls", [MPI] = "MPI-IO"};
	unsigned i;

	for (i = 0; i < N_PARADIGMS; i++)
		check(OTF2_GlobalDefWriter_WriteIoParadigm(
			defs, (OTF2_IoParadigmRef)i, string(ids[i]), string(names[i]),
			i == MPI ? OTF2_IO_PARADIGM_CLASS_PARALLEL : OTF2_IO_PARADIGM_CLASS_SERIAL,
			i == SYSTEM ? OTF2_IO_PARADIGM_FLAG_OS : OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL));
}

static OTF2_IoFileRef file(OTF2_StringRef name)
{
	bool is_new;
	uint64_t n = files.n, *ref = iot_dict(&files, &name, sizeof(name), &is_new);

	if (is_new)
		check(OTF2_GlobalDefWriter_WriteIoRegularFile(defs, (OTF2_IoFileRef)(*ref = n), name,
							      OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	return (OTF2_IoFileRef)*ref;
}

static OTF2_IoHandleRef handle(const char *path, size_t len, unsigned paradigm)
{
	OTF2_StringRef name = path ? string_n(path, len) : string("(no name)");
	const struct {
		OTF2_StringRef name;
		unsigned paradigm;
	} key = {name, paradigm};
	bool is_new;
	uint64_t n = handles.n, *ref = iot_dict(&handles, &key, sizeof(key), &is_new);

	if (!is_new)
		return (OTF2_IoHandleRef)*ref;
	*ref = n;
	check(OTF2_GlobalDefWriter_WriteIoHandle(defs, (OTF2_IoHandleRef)n, name, file(name), (OTF2_IoParadigmRef)paradigm,
						 OTF2_IO_HANDLE_FLAG_PRE_CREATED, OTF2_UNDEFINED_COMM,
						 OTF2_UNDEFINED_IO_HANDLE));
	check(OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(defs, (OTF2_IoHandleRef)n, OTF2_IO_ACCESS_MODE_READ_WRITE,
								OTF2_IO_STATUS_FLAG_NONE));
	return (OTF2_IoHandleRef)n;
}

/* ---- who: hosts, their processes, and threads as locations ---- */

static OTF2_SystemTreeNodeRef host_of(const struct iotr_log *log)
{
	const char *name = iotr_log_key(log, "host", NULL);
	bool is_new;
	uint64_t n = hosts.n, *ref;

	name = name ? name : "?";
	ref = iot_dict(&hosts, name, strlen(name), &is_new);
	if (is_new)
		check(OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, (OTF2_SystemTreeNodeRef)(*ref = n), string(name),
							       string("node"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	return (OTF2_SystemTreeNodeRef)*ref;
}

static OTF2_LocationGroupRef group_of(const struct process_track *p)
{
	const char *program = iotr_log_key(p->log, "program", NULL);
	int rank = iotr_log_rank(p->log, NULL);
	bool is_new;
	uint64_t n = groups.n, *ref = iot_dict(&groups, &p, sizeof(p), &is_new);
	char name[300], of[40] = "";

	if (!is_new)
		return (OTF2_LocationGroupRef)*ref;
	*ref = n;
	if (rank >= 0)
		snprintf(of, sizeof(of), "rank %d: ", rank);
	snprintf(name, sizeof(name), "%s%.200s, pid %u", of, program ? program : "?", p->pid);
	check(OTF2_GlobalDefWriter_WriteLocationGroup(defs, (OTF2_LocationGroupRef)n, string(name),
						      OTF2_LOCATION_GROUP_TYPE_PROCESS, host_of(p->log),
						      OTF2_UNDEFINED_LOCATION_GROUP));
	return (OTF2_LocationGroupRef)n;
}

static void add_location(struct thread_track *t)
{
	struct location *l = calloc(1, sizeof(*l));

	if (!l)
		iot_no_memory();
	l->ref = n_locations++;
	l->writer = OTF2_Archive_GetEvtWriter(archive, l->ref);
	if (!l->writer)
		iot_die("can't write to %s", output);
	t->user = l;
}

static void define_location(const struct thread_track *t)
{
	struct location *l = t->user;
	OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(archive, l->ref);
	uint64_t events;
	char name[60];

	snprintf(name, sizeof(name), "thread %u%s", t->tid, t->beside ? ", at the same time" : "");
	check(OTF2_EvtWriter_GetNumberOfEvents(l->writer, &events));
	check(OTF2_GlobalDefWriter_WriteLocation(defs, l->ref, string(name), OTF2_LOCATION_TYPE_CPU_THREAD, events,
						 group_of(t->process)));
	check(OTF2_Archive_CloseEvtWriter(archive, l->writer));
	check(OTF2_Archive_CloseDefWriter(archive, local));
	free(l->entered);
	free(l);
}

/* ---- events ---- */

static void leave(const struct location *l, const struct entered *e)
{
	if (e->operation)
		check(OTF2_EvtWriter_IoOperationComplete(l->writer, NULL, e->end, e->handle, e->result, e->operation));
	check(OTF2_EvtWriter_Leave(l->writer, NULL, e->end, e->region));
}

static void leave_until(struct location *l, uint64_t time)
{
	while (l->n && l->entered[l->n - 1].end <= time)
		leave(l, &l->entered[--l->n]);
}

static void begin_operation(const struct location *l, struct entered *e, const struct iota_sample *s,
			    OTF2_IoOperationMode mode, unsigned paradigm)
{
	const struct iotr_call *call = s->call;
	const struct iotr_path *path;
	size_t len;
	const char *name = iotr_call_path(call, &len, &path, NULL);

	e->handle = handle(name, len, paradigm);
	e->operation = ++n_operations;
	e->result = s->moved;
	check(OTF2_EvtWriter_IoOperationBegin(l->writer, NULL, call->start, e->handle, mode, OTF2_IO_OPERATION_FLAG_NONE,
					      call->has & IOTR_HAS_SIZE ? call->size : s->moved, e->operation));
}

/* What a copy writes is written when it ends, to a file that is another operation's. */
static void write_copy(const struct location *l, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const struct iotr_path *path = NULL;
	OTF2_IoHandleRef to;
	unsigned i;

	for (i = 0; i < call->schema->n_params && !path; i++)
		if (call->value[i].type == IOTR_VAL_HANDLE && call->value[i].handle)
			path = call->value[i].handle->path;
	to = handle(path ? path->name : NULL, path ? path->len : 0, SYSTEM);
	check(OTF2_EvtWriter_IoOperationBegin(l->writer, NULL, call->start, to, OTF2_IO_OPERATION_MODE_WRITE,
					      OTF2_IO_OPERATION_FLAG_NONE, s->moved, ++n_operations));
	check(OTF2_EvtWriter_IoOperationComplete(l->writer, NULL, call->start, to, s->moved, n_operations));
}

static void add_operation(const struct location *l, struct entered *e, const struct iota_sample *s)
{
	const bool system = s->is_syscall || s->call->inferred;
	const unsigned paradigm = system ? SYSTEM : is_mpi(s->call->schema->family) ? MPI : LIBRARY;

	if (s->does == IOTA_DOES_READ || (s->does == IOTA_DOES_COPY && s->is_syscall))
		begin_operation(l, e, s, OTF2_IO_OPERATION_MODE_READ, paradigm);
	else if (s->does == IOTA_DOES_WRITE)
		begin_operation(l, e, s, OTF2_IO_OPERATION_MODE_WRITE, paradigm);
	else if (s->does == IOTA_DOES_SYNC)
		begin_operation(l, e, s, OTF2_IO_OPERATION_MODE_FLUSH, paradigm);
	if (s->does == IOTA_DOES_COPY && s->is_syscall)
		write_copy(l, s);
}

static void add_call(const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const uint64_t dur = iotr_call_has_dur(call) ? call->dur : 0;
	bool is_new, new_process;
	struct thread_track *t = iot_track(&tracks, call, dur, &is_new, &new_process);
	struct entered *e;
	struct location *l;

	if (is_new)
		add_location(t);
	l = t->user;
	leave_until(l, call->start);
	if (l->n == l->cap) {
		l->cap = l->cap ? l->cap * 2 : 8;
		l->entered = reallocarray(l->entered, l->cap, sizeof(*l->entered));
		if (!l->entered)
			iot_no_memory();
	}
	e = &l->entered[l->n++];
	*e = (struct entered){.end = call->start + dur, .region = region(call)};
	check(OTF2_EvtWriter_Enter(l->writer, NULL, call->start, e->region));
	add_operation(l, e, s);
	if (!dur)
		leave(l, &l->entered[--l->n]);
}

/* ---- the format ---- */

static OTF2_FlushType pre_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)final;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp post_flush(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
	(void)data, (void)type, (void)location;
	return 0;
}

static void begin(const char *name, const struct iotr_set *set, struct iota *a)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush, .otf2_post_flush = post_flush};
	const uint64_t started = iot_export_begins(set), ended = iot_export_ends(set);

	(void)a;
	output = name;
	OTF2_Error_RegisterCallback(on_error, NULL);
	archive = OTF2_Archive_Open(iot_output_begin_directory(name, NULL), "traces", OTF2_FILEMODE_WRITE, CHUNK, 4 * CHUNK,
				    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!archive)
		iot_die("can't write to %s", name);
	check(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL));
	check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	check(OTF2_Archive_SetCreator(archive, PACKAGE_STRING));
	check(OTF2_Archive_OpenEvtFiles(archive));
	check(OTF2_Archive_OpenDefFiles(archive));
	defs = OTF2_Archive_GetGlobalDefWriter(archive);
	if (!defs)
		iot_die("can't write to %s", name);
	check(OTF2_GlobalDefWriter_WriteClockProperties(defs, 1000000000, started, ended > started ? ended - started : 0,
							started));
	string("");
	define_paradigms();
}

static void end(const struct iotr_set *set, struct iota *a)
{
	struct thread_track *t;
	size_t at = 0;

	(void)set;
	(void)a;
	while ((t = iot_track_next(&tracks, &at))) {
		leave_until(t->user, UINT64_MAX);
		define_location(t);
	}
	check(OTF2_Archive_CloseEvtFiles(archive));
	check(OTF2_Archive_CloseDefFiles(archive));
	check(OTF2_Archive_CloseGlobalDefWriter(archive, defs));
	check(OTF2_Archive_Close(archive));
	iot_dict_free(&strings);
	iot_dict_free(&regions);
	iot_dict_free(&files);
	iot_dict_free(&handles);
	iot_dict_free(&hosts);
	iot_dict_free(&groups);
	iot_tracks_free(&tracks);
	iot_output_end();
}

FORMAT(otf2, 40, .begin = begin, .call = add_call, .end = end)
#else
#include "../export.h"

NO_FORMAT(otf2, "OTF2 (libotf2)")
#endif
