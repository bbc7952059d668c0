/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite-context.c - what calls have in common that one line makes, on whatever file: it is
 * worked out and written once, and calls have its number.
 */
#include "config.h"

#include <stdlib.h>

#include "sqlite.h"

/* No more are remembered than that, so that memory has a bound; what comes again after that has
   a row again, which changes no sum. */
#define MOST_CONTEXTS 1000000
#define MOST_ARGS 300000

/* All bytes of it are compared: none is left over between members. */
struct key {
	const struct iota_row *thread, *to;
	const struct iotr_schema *schema;
	const char *syscall;
	const struct iotr_path *statement;
	uint32_t stack;
	int32_t fd, err;
	uint32_t how; /* see how() */
};

static struct dict contexts = {.most = MOST_CONTEXTS}, args = {.most = MOST_ARGS};
static struct dict kinds, stacks, stacks_of_logs, frames, sites;
static int64_t n_contexts;

static uint32_t *process_of; /* threads' processes, by their numbers */
static size_t n_process_of;

static uint32_t how(const struct iota_sample *s, bool has_fd)
{
	const struct iotr_call *call = s->call;

	return (uint32_t)call->status | (uint32_t)s->does << 2 | (uint32_t)s->spent << 8 | (uint32_t)has_fd << 16 |
	       (uint32_t)call->inferred << 17 | (uint32_t)call->internal << 18 | (uint32_t)call->mpi_own << 19 |
	       (uint32_t)s->is_syscall << 20 | (uint32_t)s->failed << 21 | (uint32_t)s->opened << 22 |
	       (uint32_t)s->unseen << 23;
}

/* ---- dictionaries ---- */

static int64_t kind_id(const struct iota_rows *rows, const struct iotr_schema *schema, const char *syscall)
{
	struct iota_bytes b = {0};
	bool is_new;
	uint64_t *id;

	iota_bytes_add(&b, schema->name, strlen(schema->name) + 1);
	iota_bytes_add(&b, schema->family, strlen(schema->family) + 1);
	if (syscall)
		iota_bytes_text(&b, syscall);
	id = iot_dict(&kinds, b.p, b.len, &is_new);
	free(b.p);
	if (is_new) {
		*id = (uint64_t)++iot_db_bases.kinds;
		iot_db_add("INSERT INTO kinds VALUES(?, ?, ?, ?, ?, ?)", "isssbi", (int64_t)*id,
			   schema->name, schema->family, syscall, rows->call->name, rows->call->name_len,
			   (int64_t)!!(schema->flags & IOTR_CALL_COLLECTIVE));
	}
	return (int64_t)*id;
}

static int64_t frame_id(const struct iotr_frame *f)
{
	struct iota_bytes b = {0};
	const char *const texts[] = {f->func, f->file, f->module, f->language};
	bool is_new;
	uint64_t *id;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		iota_bytes_add(&b, texts[i] ? "s" : "", 1);
		iota_bytes_add(&b, texts[i] ? texts[i] : "", texts[i] ? strlen(texts[i]) + 1 : 1);
	}
	iota_bytes_add(&b, &f->line, sizeof(f->line));
	iota_bytes_add(&b, &f->module_offset, sizeof(f->module_offset));
	iota_bytes_add(&b, f->outer ? "1" : "0", 1);
	id = iot_dict(&frames, b.p, b.len, &is_new);
	free(b.p);
	if (is_new) {
		*id = (uint64_t)++iot_db_bases.frames;
		iot_db_add("INSERT INTO frames VALUES(?, ?, ?, ?, ?, ?, ?, ?)", "issisisi", (int64_t)*id,
			   f->func, f->file, f->line ? (int64_t)f->line : NO_NUMBER, f->module,
			   f->module ? (int64_t)f->module_offset : NO_NUMBER, f->language, (int64_t)(f->outer != NULL));
	}
	return (int64_t)*id;
}

static void find_frames(struct iota_bytes *ids, struct iotr_log *log, const struct iotr_stack *stack)
{
	const struct iotr_frame *f;
	int64_t id;
	uint32_t i;

	for (i = 0; i < stack->n; i++)
		for (f = iotr_log_frame(log, stack, i); f; f = f->outer) {
			id = frame_id(f);
			iota_bytes_add(ids, &id, sizeof(id));
		}
}

static int64_t site_id(const struct iota_row *site)
{
	bool is_new;
	uint64_t *id = iot_dict(&sites, &site, sizeof(site), &is_new);

	if (is_new) {
		*id = (uint64_t)++iot_db_bases.sites;
		iot_db_add("INSERT INTO sites VALUES(?, ?, ?)", "iib", (int64_t)*id, iot_db.run, site->name, site->name_len);
	}
	return (int64_t)*id;
}

/* ids: of the site, then of the frames. */
static int64_t stack_of(const int64_t *ids, size_t n)
{
	struct iota_bytes array = {0};
	bool is_new;
	uint64_t *id = iot_dict(&stacks, ids, n * sizeof(*ids), &is_new);
	size_t i;

	if (is_new) {
		*id = (uint64_t)++iot_db_bases.stacks;
		iota_bytes_text(&array, "[");
		for (i = 1; i < n; i++)
			iota_bytes_format(&array, "%s%lld", i > 1 ? "," : "", (long long)ids[i]);
		iota_bytes_text(&array, "]");
		iot_db_add("INSERT INTO stacks VALUES(?, ?, ?)", "iib", (int64_t)*id, ids[0], array.p, array.len);
		free(array.p);
	}
	return (int64_t)*id;
}

/* A Fortran statement may tell better than the stack where it stands.  Processes that run one program have the same
   stacks, each by its own numbers. */
static int64_t stack_id(struct iota *a, const struct iotr_call *call, const struct iotr_path *statement)
{
	const struct {
		const struct iotr_log *log;
		const struct iotr_path *statement;
		uint64_t stack;
	} key = {call->log, statement, call->stack};
	const struct iotr_stack *stack = iotr_call_stack(call);
	struct iota_bytes ids = {0};
	int64_t site;
	bool is_new;
	uint64_t *id;

	if (!stack && !statement)
		return NO_NUMBER;
	id = iot_dict(&stacks_of_logs, &key, sizeof(key), &is_new);
	if (!is_new)
		return (int64_t)*id;
	site = site_id(iota_site_of(a, call));
	iota_bytes_add(&ids, &site, sizeof(site));
	stack = iotr_call_stack(call); /* others may have been asked for since */
	if (stack)
		find_frames(&ids, call->log, stack);
	*id = (uint64_t)stack_of((const int64_t *)(const void *)ids.p, ids.len / sizeof(site));
	free(ids.p);
	return (int64_t)*id;
}

int64_t iot_db_args(const struct iotr_call *call)
{
	static struct out o = {.fd = -1};
	bool is_new;
	uint64_t *id;

	o.len = 0;
	if (!iot_json_args(&o, call, ""))
		return NO_NUMBER;
	id = iot_dict(&args, o.buf, o.len, &is_new);
	if (is_new) {
		*id = (uint64_t)++iot_db_bases.args;
		iot_db_add("INSERT INTO args VALUES(?, ?)", "ib", (int64_t)*id, o.buf, o.len);
	}
	return (int64_t)*id;
}

/* ---- contexts ---- */

static void note_process(const struct iota_rows *rows)
{
	if (!rows->thread || !rows->process)
		return;
	if (rows->thread->number >= n_process_of) {
		size_t n = rows->thread->number * 2u + 64;

		process_of = reallocarray(process_of, n, sizeof(*process_of));
		if (!process_of)
			iot_no_memory();
		memset(process_of + n_process_of, 0, (n - n_process_of) * sizeof(*process_of));
		n_process_of = n;
	}
	process_of[rows->thread->number] = rows->process->number;
}

uint32_t iot_db_process_of(uint32_t thread)
{
	return thread < n_process_of ? process_of[thread] : 0;
}

/* The numbers that tables.sql names. */
static int64_t kind_of_time(enum iota_field spent)
{
	switch (spent) {
	case IOTA_F_MOVING:
		return 1;
	case IOTA_F_METADATA:
		return 2;
	case IOTA_F_SYNCING:
		return 3;
	case IOTA_F_WAITING:
		return 4;
	case IOTA_F_MEMORY:
		return 5;
	default:
		return 0;
	}
}

/* The column how, whose bits tables.sql names. */
static int64_t column_how(const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const bool copies = s->does == IOTA_DOES_COPY && s->is_syscall, system = s->is_syscall || call->inferred;
	const bool reads = s->does == IOTA_DOES_READ || copies, writes = s->does == IOTA_DOES_WRITE || copies;

	return s->is_syscall | s->failed << 1 | call->inferred << 2 | call->internal << 3 | call->mpi_own << 4 |
	       s->opened << 5 | (reads && system) << 6 | (writes && system) << 7 | (reads && !system) << 8 |
	       (writes && !system) << 9 | kind_of_time(s->spent) << 10 | s->unseen << 13;
}

/* Number of an error that has no name. */
static const char *error_name(int err)
{
	static char number[20];

	if (!err)
		return NULL;
	snprintf(number, sizeof(number), "%d", err);
	return iotr_errno_name(err) ? iotr_errno_name(err) : number;
}

static int64_t name_id(const struct iota_row *row)
{
	return row ? iot_db_bases.names + row->number : NO_NUMBER;
}

static void add_context(struct iota *a, const struct iota_sample *s, const struct key *key,
			const struct iota_rows *rows, int64_t id)
{
	const struct iotr_call *call = s->call;

	iot_db_add("INSERT INTO contexts VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiissi", id,
		   iot_db_bases.threads + key->thread->number, kind_id(rows, key->schema, key->syscall),
		   stack_id(a, call, key->statement), key->how >> 16 & 1 ? (int64_t)key->fd : NO_NUMBER,
		   name_id(key->to), iot_status_name(call), error_name(call->err), column_how(s));
}

static int64_t context_id(struct iota *a, const struct iota_sample *s, const struct key *key, const struct iota_rows *rows)
{
	bool is_new;
	uint64_t *id = iot_dict(&contexts, key, sizeof(*key), &is_new);

	if (is_new) {
		*id = (uint64_t)(iot_db_bases.contexts + ++n_contexts);
		note_process(rows);
		add_context(a, s, key, rows, (int64_t)*id);
	}
	return (int64_t)*id;
}

/* A thread comes back to few contexts, which the processor's caches hold: the dictionary has those of all threads. */
static struct had {
	struct key key;
	int64_t id; /* 0: none yet */
} recent[256];

static struct had *had_of(const struct key *key)
{
	return &recent[(key->stack ^ (uintptr_t)key->schema >> 4 ^ key->how >> 16) % (sizeof(recent) / sizeof(recent[0]))];
}

struct db_context iot_db_context(struct iota *a, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const struct iota_rows rows = iota_rows_of(a, s);
	struct key key = {
		.thread = rows.thread,
		.to = rows.to ? rows.to : rows.memory,
		.schema = call->schema,
		.syscall = iotr_call_syscall(call),
		.statement = iota_statement(a, call),
		.stack = call->stack,
		.err = call->err,
	};
	bool has_fd = iot_fd_known(call, &key.fd);
	struct had *had;

	key.fd = has_fd ? key.fd : -1;
	key.how = how(s, has_fd);
	had = had_of(&key);
	if (!had->id || memcmp(&had->key, &key, sizeof(key)) != 0)
		*had = (struct had){key, context_id(a, s, &key, &rows)};
	return (struct db_context){had->id, name_id(rows.file), name_id(rows.to)};
}

void iot_db_contexts_end(void)
{
	iot_dict_free(&contexts);
	iot_dict_free(&args);
	iot_dict_free(&kinds);
	iot_dict_free(&stacks);
	iot_dict_free(&stacks_of_logs);
	iot_dict_free(&frames);
	iot_dict_free(&sites);
	free(process_of);
	process_of = NULL;
	n_process_of = 0;
}
