/* SPDX-License-Identifier: BSD-3-Clause */
/* stat-sum.c - adding a call to the rows that it belongs to. */
#include "config.h"

#include <stdlib.h>

#include "stat.h"

/* Calls nest in a stream.  Deeper ones are taken to be at this depth. */
#define DEPTHS 256

/* What calls have inside of them. */
struct inside {
	uint64_t time, lib_moved, opens;
};

/* Of the stream that is being read: what the calls that are counted had, by their
   depth, since the last call of a smaller depth. */
static struct {
	const struct iotr_log *log;
	uint32_t stream;
	unsigned n;
	struct inside by_depth[DEPTHS + 1];
} nest;

/* What is inside of this call, which ends now. */
static struct inside *inside_of(const struct iotr_call *call)
{
	unsigned d = call->depth < DEPTHS ? call->depth : DEPTHS - 1;

	if (call->log != nest.log || call->stream != nest.stream) {
		nest.log = call->log;
		nest.stream = call->stream;
		nest.n = 0;
	}
	while (nest.n <= d + 1)
		nest.by_depth[nest.n++] = (struct inside){0};
	nest.n = d + 1;
	return &nest.by_depth[d + 1];
}

/* It is itself inside of the call around it. */
static void pass_on(struct inside *inside, struct inside more)
{
	inside[-1].time += more.time;
	inside[-1].lib_moved += more.lib_moved;
	inside[-1].opens += more.opens;
}

/* A duration's bucket: its highest bit and the two below. */
static unsigned time_bucket(uint64_t ns)
{
	unsigned top;

	if (ns < 4)
		return (unsigned)ns;
	top = 63 - (unsigned)__builtin_clzll(ns);
	return (top - 1) * 4 + (unsigned)(ns >> (top - 2) & 3);
}

static uint64_t bytes_moved(const struct iotr_call *call, const struct kind *kind)
{
	if (!(call->has & IOT_HAS_RET) || call->ret < 0)
		return 0;
	switch (kind->moves) {
	case MOVES_NOTHING:
		break;
	case MOVES_RESULT:
		return (uint64_t)call->ret;
	case MOVES_ITEMS:
		return (uint64_t)call->ret * call->itemsize;
	case MOVES_ONE:
		return 1;
	case MOVES_SIZE:
		return call->has & IOT_HAS_SIZE ? call->size : 0;
	}
	return 0;
}

/* fcntl waits by one command of many. */
static bool waits_for_lock(const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;

	return s->n_params > 1 && s->param[1].kind == IOTR_KIND_FCNTL &&
	       call->value[1].type == IOTR_VAL_WORD &&
	       (call->value[1].word == 7 /* F_SETLKW */ ||
		call->value[1].word == 38 /* F_OFD_SETLKW */);
}

/* What began an operation of Fortran's that ends here. */
static enum does issued(const struct iotr_call *call)
{
	for (unsigned i = 0; i < call->schema->n_params; i++) {
		const struct iotr_value *v = &call->value[i];

		if (v->type == IOTR_VAL_PATH && !strcmp(call->schema->param[i].name, "issued"))
			return strcmp(v->path->name, "READ") ? DOES_WRITE : DOES_READ;
	}
	return DOES_OTHER;
}

static void add_status(uint64_t *v, const struct iotr_call *call)
{
	v[F_UNFINISHED] += call->status == IOTR_UNFINISHED;
	v[F_NORETURN] += call->status == IOTR_NORETURN;
	v[F_ABANDONED] += call->status == IOTR_ABANDONED;
	v[F_INFERRED] += call->inferred;
}

void iot_row_add(struct row *row, const struct sample *s)
{
	uint64_t *v = row->v;

	v[F_CALLS] += !s->call->inferred;
	v[F_SYSCALLS] += s->is_syscall;
	v[F_ERRORS] += s->failed;
	v[F_SELF] += s->self;
	if (s->waits)
		v[F_WAITING] += s->self;
	else if (s->does == DOES_READ || s->does == DOES_WRITE || s->does == DOES_COPY)
		v[F_MOVING] += s->self;
	if (s->time > v[F_MAX])
		v[F_MAX] = s->time;
	if (s->call->inferred) {
		v[F_READ] += s->does == DOES_READ ? s->moved : 0;
		v[F_WRITTEN] += s->does == DOES_WRITE ? s->moved : 0;
	} else if (!s->is_syscall) {
		v[F_LIB_READ] += s->does == DOES_READ ? s->lib_moved : 0;
		v[F_LIB_WRITTEN] += s->does == DOES_WRITE ? s->lib_moved : 0;
	} else {
		if (s->does == DOES_READ || s->does == DOES_COPY) {
			v[F_READS]++;
			v[F_READ] += s->moved;
		}
		if (s->does == DOES_WRITE || s->does == DOES_COPY) {
			v[F_WRITES]++;
			v[F_WRITTEN] += s->moved;
		}
	}
	if (!s->timed)
		add_status(v, s->call);
}

static void call_add(const struct sample *s)
{
	struct row *row = iot_stat_row(s->kind, s->call);
	uint64_t *v = row->v;

	iot_row_add(row, s);
	v[F_MOVED] += s->moved;
	if (s->call->has & IOT_HAS_SIZE)
		v[F_ASKED] = iot_sum_of_sizes(v[F_ASKED], s->call->size);
	if (!s->timed)
		return;
	v[F_TIME] += s->time;
	row->times[time_bucket(s->time)]++;
	if (s->time >= SLOW_NS) {
		v[F_SLOW]++;
		v[F_SLOW_TIME] += s->self;
	}
}

/* ---- processes and threads ---- */

/* The thread that is being read.  Its numbers are by how much the totals grow. */
static struct {
	const struct iotr_log *log;
	uint32_t number, pid, tid; /* number: of the process */
	uint64_t before[N_COMMON];
	uint64_t longest;
	uint64_t begin, end; /* of its first and its last call, ns since the epoch; 0: none yet */
	struct row *process, *thread, *rank;
} current;

/* key is freed */
static struct row *log_row(enum table_id id, const struct iotr_call *call, struct out *key)
{
	const char *program = iotr_log_key(call->log, "program", NULL);
	bool is_new;
	struct row *row = iot_row(id, key->buf, key->len, &is_new);

	free(key->buf);
	if (!is_new)
		return row;
	row->name = program ? program : "";
	row->name_len = strlen(row->name);
	row->extra = iotr_log_key(call->log, "host", NULL);
	row->v[F_RANK] = (uint64_t)(iotr_log_rank(call->log, NULL) + 1);
	return row;
}

/* Children that a rank started without MPI's help have its number, too. */
static struct row *rank_row(const struct iotr_call *call)
{
	struct out key = {.fd = -1};

	iot_out_padded(&key, (uint64_t)(iotr_log_rank(call->log, NULL) + 1), 10);
	return log_row(BY_RANK, call, &key);
}

/* When the process began, and who forked it.  How long it has been there the log says
   of all its processes together; of one of several, its calls do. */
static void begin_process(struct row *row, const struct iotr_call *call)
{
	const struct iotr_process *process = iotr_log_process(call->log, call->process), *parent;

	row->v[F_BEGIN] = iotr_log_start(call->log);
	if (process && process->ticks)
		row->v[F_BEGIN] = iotr_log_time(call->log, process->ticks);
	if (!process)
		return;
	parent = call->pid == process->pid ? iotr_process_parent(call->log, process) : process;
	row->v[F_PARENT] = parent ? parent->pid : 0;
}

/* Children are in their parent's log, and those of vfork() in its memory, until they
   execute another program.  Pids may come again. */
static struct row *thread_row(enum table_id id, const struct iotr_call *call, uint32_t tid)
{
	struct out key = {.fd = -1};
	struct row *row;

	out_str(&key, iotr_log_file(call->log));
	out_char(&key, '\0');
	iot_out_padded(&key, call->process, 10);
	iot_out_padded(&key, call->pid, 10);
	iot_out_padded(&key, tid, 10);
	row = log_row(id, call, &key);
	row->v[F_PID] = call->pid;
	row->v[F_TID] = tid;
	if (id == BY_PROCESS && !row->v[F_BEGIN])
		begin_process(row, call);
	return row;
}

static void add_growth(struct row *row, const uint64_t total[N_COMMON])
{
	unsigned f;

	for (f = 0; f < N_COMMON; f++)
		if (f != F_MAX)
			row->v[f] += total[f] - current.before[f];
	if (current.longest > row->v[F_MAX])
		row->v[F_MAX] = current.longest;
}

static void add_elapsed(struct row *process)
{
	uint64_t end = current.end;

	/* a child's fork() began in its parent */
	if (iotr_log_processes(current.log) == 1)
		end = iot_log_latest(current.log);
	else if (current.begin && current.begin < process->v[F_BEGIN])
		process->v[F_BEGIN] = current.begin;
	if (end > process->v[F_BEGIN] && end - process->v[F_BEGIN] > process->v[F_ELAPSED])
		process->v[F_ELAPSED] = end - process->v[F_BEGIN];
	current.begin = current.end = 0;
}

static void end_thread(void)
{
	uint64_t total[N_COMMON];

	if (current.process)
		add_elapsed(current.process);
	iot_rows_total(&iot_tables[BY_CALL], total);
	if (current.process)
		add_growth(current.process, total);
	if (current.thread)
		add_growth(current.thread, total);
	if (current.rank)
		add_growth(current.rank, total);
	memcpy(current.before, total, sizeof(total));
	current.longest = 0;
}

static void begin_thread(const struct iotr_call *call)
{
	end_thread();
	current.log = call->log;
	current.number = call->process;
	current.pid = call->pid;
	current.tid = call->tid;
	current.process = thread_row(BY_PROCESS, call, 0);
	if (iot_tables[BY_THREAD].wanted)
		current.thread = thread_row(BY_THREAD, call, call->tid);
	if (iot_tables[BY_RANK].wanted)
		current.rank = rank_row(call);
}

/* ---- all of it ---- */

void iot_stat_call(void *unused, const struct iotr_call *call)
{
	const struct iotr_schema *schema = call->schema;
	struct inside *inside = inside_of(call);
	struct sample s;
	bool wanted;

	(void)unused;
	iot_progress();
	wanted = iot_filter_pass(call);
	iot_ops_see(call, wanted);
	if (iot_tables[BY_REGION].wanted)
		iot_region_see(call);
	if (!wanted) {
		pass_on(inside, *inside);
		return;
	}
	s = (struct sample){
		.call = call,
		.kind = iot_stat_kind(schema),
		.is_syscall = schema->syscall ? !call->no_syscall && !call->inferred
					      : iotr_call_syscall(call) != NULL,
		.timed = call->status == IOTR_FINISHED && !call->inferred,
	};
	if (s.timed) {
		s.time = call->dur;
		s.self = s.time > inside->time ? s.time - inside->time : 0;
	}
	s.waits = s.kind->does == DOES_WAIT || waits_for_lock(call);
	s.failed = (call->err || call->ret <= 0 || schema->result == IOTR_KIND_ERRCODE) &&
		   iotr_call_failed(call);
	if ((s.timed || call->inferred) && !s.failed && s.kind->does) {
		s.does = s.kind->does == DOES_ISSUED ? issued(call) : s.kind->does;
		s.moved = bytes_moved(call, s.kind);
		if (!s.is_syscall && !call->inferred && s.moved > inside->lib_moved)
			s.lib_moved = s.moved - inside->lib_moved;
		s.opened = s.does == DOES_OPEN && !inside->opens;
	}
	/* what has no time itself passes on what it has inside */
	pass_on(inside, (struct inside){.time = s.timed ? s.time : inside->time,
					.lib_moved = inside->lib_moved + s.lib_moved,
					.opens = inside->opens + s.opened});
	if (call->log != current.log || call->tid != current.tid || call->pid != current.pid ||
	    call->process != current.number)
		begin_thread(call);
	if (s.time > current.longest)
		current.longest = s.time;
	if (!current.begin || call->start < current.begin)
		current.begin = call->start;
	if (call->start + s.time > current.end)
		current.end = call->start + s.time;
	call_add(&s);
	if (iot_tables[BY_FILE].wanted)
		iot_file_add(&s);
	if (iot_tables[BY_SITE].wanted)
		iot_site_add(&s);
	if (iot_tables[BY_REGION].wanted)
		iot_region_add(&s);
	if (call->status == IOTR_UNFINISHED)
		iot_fact_unfinished(call);
}

void iot_stat_end(void)
{
	end_thread();
	iot_region_end();
	iot_facts_incomplete();
}
