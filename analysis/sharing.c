/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sharing.c - the files, processes, threads and call sites that constellations are about.
 *
 * A file is a name, with the inode of a device that it had as far as the log knows that: of a
 * host, unless the file system is one that hosts share.  Other names of it are joined when all
 * calls have come (names.c says which, since inodes are used again).
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "constellation.h"

/* What is known of files that are none: pipes, terminals. */
static struct iota_sharing_file no_file;

struct iota_sharing *iota_sharing_new(bool constellations, bool trails)
{
	struct iota_sharing *s = iota_malloc(sizeof(*s));

	*s = (struct iota_sharing){
		.notes = iotr_notes_new(), .constellations = constellations, .trails = trails};
	if (!s->notes)
		iota_no_memory();
	return s;
}

static void nothing(void *p)
{
	(void)p;
}

void iota_sharing_free(struct iota_sharing *s)
{
	size_t i, j;

	if (!s)
		return;
	tdestroy(s->files, nothing);
	tdestroy(s->tasks, nothing);
	tdestroy(s->clients, nothing);
	tdestroy(s->sites, nothing);
	tdestroy(s->opened, nothing);
	tdestroy(s->counters, nothing);
	for (i = 0; i < s->n_files; i++) {
		free(s->file[i]->name);
		free(s->file[i]->run);
		free(s->file[i]->mark);
		for (j = 0; j < s->file[i]->n_members; j++)
			iota_trail_free(s->file[i]->member[j].trail);
		free(s->file[i]->member);
		free(s->file[i]->held);
	}
	for (i = 0; i < s->n_tasks; i++)
		free(s->task[i]->event);
	free(s->file);
	free(s->task);
	free(s->client);
	free(s->site);
	free(s->result);
	iota_seeks_free(s);
	iotr_notes_free(s->notes);
	free(s);
}

/* ---- what there is one of for each key ---- */

/* Files, tasks and clients begin with their keys. */
struct keyed {
	const char *key;
	size_t key_len;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key_len != y->key_len)
		return x->key_len < y->key_len ? -1 : 1;
	return memcmp(x->key, y->key, x->key_len);
}

static const char *kept(struct iota *a, const char *s, size_t len)
{
	char *copy = iota_alloc(&a->memory, len + 1);

	memcpy(copy, s, len);
	return copy;
}

/* A new one of that size, if there is none of the key. */
static void *keyed(struct iota *a, void **tree, size_t size, const char *key, size_t len,
		   bool *is_new)
{
	struct keyed wanted = {key, len}, **there = tfind(&wanted, tree, by_key), *new;

	*is_new = !there;
	if (there)
		return *there;
	new = iota_alloc(&a->memory, size);
	new->key = kept(a, key, len);
	new->key_len = len;
	return iota_tree_add(tree, new, by_key);
}

struct iota_sharing_file *iota_sharing_file(struct iota *a, const char *key, size_t len)
{
	struct iota_sharing *s = a->sharing;
	bool is_new;
	struct iota_sharing_file *f = keyed(a, &s->files, sizeof(*f), key, len, &is_new);
	const char *behind_inode;

	if (!is_new)
		return f;
	f->task = UINT32_MAX;
	behind_inode = memchr(key, '\n', len);
	f->has_inode = !strncmp(key, "inode ", 6) && behind_inode;
	f->inode_len = f->has_inode ? (size_t)(behind_inode - key) : len;
	IOTA_ROOM(s->file, s->n_files, s->cap_files);
	s->file[s->n_files++] = f;
	return f;
}

struct iota_sharing_file *iota_sharing_find(struct iota *a, const char *key)
{
	struct keyed wanted = {key, strlen(key)}, **there;

	there = tfind(&wanted, &a->sharing->files, by_key);
	return there ? (struct iota_sharing_file *)*there : NULL;
}

struct iota_member *iota_member(struct iota_sharing_file *f, uint32_t task)
{
	size_t i;

	/* tasks come one after the other */
	for (i = f->n_members; i; i--)
		if (f->member[i - 1].task == task)
			return &f->member[i - 1];
	IOTA_ROOM(f->member, f->n_members, f->cap_members);
	f->member[f->n_members] = (struct iota_member){.task = task};
	return &f->member[f->n_members++];
}

void iota_sharing_join(struct iota_sharing_file *f, struct iota_sharing_file *other)
{
	struct iota_member *m;
	size_t i, j;

	for (i = 0; i < other->n; i++) {
		IOTA_ROOM(f->run, f->n, f->cap);
		f->run[f->n++] = other->run[i];
	}
	for (i = 0; i < other->n_marks; i++) {
		IOTA_ROOM(f->mark, f->n_marks, f->cap_marks);
		f->mark[f->n_marks++] = other->mark[i];
	}
	for (i = 0; i < other->n_members; i++) {
		m = iota_member(f, other->member[i].task);
		for (j = 0; j < 2; j++) {
			m->calls[j] += other->member[i].calls[j];
			m->bytes[j] += other->member[i].bytes[j];
		}
		if (other->member[i].trail)
			iota_trail_join(m, other->member[i].trail);
	}
	for (i = 0; i < IOTA_N_SEEN; i++)
		f->v[i] += other->v[i];
	other->in = f;
}

struct iota_client *iota_client(struct iota *a, const char *key, size_t len)
{
	struct iota_sharing *s = a->sharing;
	bool is_new;
	struct iota_client *c = keyed(a, &s->clients, sizeof(*c), key, len, &is_new);

	if (!is_new)
		return c;
	c->number = (uint32_t)s->n_clients;
	IOTA_ROOM(s->client, s->n_clients, s->cap_clients);
	s->client[s->n_clients++] = c;
	return c;
}

struct iota_task *iota_task(struct iota *a, const char *key, size_t len, struct iota_client *c)
{
	struct iota_sharing *s = a->sharing;
	bool is_new;
	struct iota_task *t = keyed(a, &s->tasks, sizeof(*t), key, len, &is_new);

	if (!is_new)
		return t;
	t->client = c;
	t->number = (uint32_t)s->n_tasks;
	IOTA_ROOM(s->task, s->n_tasks, s->cap_tasks);
	s->task[s->n_tasks++] = t;
	return t;
}

/* ---- the thread ---- */

static struct iota_client *client_of(struct iota *a, const struct iotr_call *call)
{
	const char *host = iotr_log_key(call->log, "host", NULL);
	struct iota_bytes key = {0};
	struct iota_client *c;

	iota_bytes_text(&key, iotr_log_file(call->log));
	iota_bytes_format(&key, " %u %u", call->process, call->pid);
	c = iota_client(a, key.p, key.len);
	free(key.p);
	if (c->pid)
		return c;
	c->pid = call->pid;
	c->rank = iotr_log_rank(call->log, NULL);
	c->host = host ? kept(a, host, strlen(host)) : "";
	/* its descriptors are closed at the latest when the log's last process has ended */
	if (iotr_log_processes(call->log) == 1)
		c->end = iota_log_latest(call->log);
	return c;
}

struct iota_task *iota_task_of(struct iota *a, const struct iotr_call *call)
{
	struct iota_sharing *s = a->sharing;
	struct iota_bytes key = {0};
	struct iota_client *client;

	if (s->now && call->log == s->log && call->tid == s->tid && call->pid == s->pid &&
	    call->process == s->process)
		return s->now;
	client = client_of(a, call);
	iota_bytes_add(&key, client->key, client->key_len);
	iota_bytes_format(&key, " %u", call->tid);
	s->now = iota_task(a, key.p, key.len, client);
	free(key.p);
	s->now->tid = call->tid;
	s->log = call->log;
	s->tid = call->tid;
	s->pid = call->pid;
	s->process = call->process;
	return s->now;
}

/* ---- the file ---- */

/* Each host has its own: file systems that are not here may be shared by several. */
static bool is_local(const char *filesystem)
{
	static const char *const names[] = {"ext2/3/4",	 "xfs",	      "btrfs",	  "zfs",
					    "f2fs",	 "tmpfs",     "ramfs",	  "overlayfs",
					    "squashfs",	 "hugetlbfs", "vfat",	  "exfat",
					    "ntfs",	 "erofs"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(filesystem, names[i]))
			return true;
	return false;
}

/* Device numbers of what hosts share may differ between them. */
static void add_inode(struct iota_bytes *key, const struct iotr_log *log,
		      const struct iotr_path *path)
{
	const struct iotr_device *device = iotr_log_device(log, path->dev);
	const char *filesystem = device ? iotr_filesystem_name(device->type) : NULL;
	const char *host = iotr_log_key(log, "host", NULL);

	iota_bytes_format(key, "inode %llu", (unsigned long long)path->ino);
	if (filesystem && !is_local(filesystem))
		return;
	iota_bytes_format(key, " of %llu", (unsigned long long)path->dev);
	if (filesystem && host)
		iota_bytes_format(key, " on %.100s", host);
}

void iota_sharing_name(struct iota *a, struct iota_sharing_file *f, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < f->n_names; i++)
		if (!strcmp(f->name[i], name))
			return;
	IOTA_ROOM(f->name, f->n_names, f->cap_names);
	f->name[f->n_names++] = kept(a, name, len);
}

static struct iota_sharing_file *file_of_path(struct iota *a, const struct iotr_log *log,
					      const struct iotr_path *path)
{
	struct iota_bytes key = {0};
	struct iota_sharing_file *f;

	if (path->ino) {
		add_inode(&key, log, path);
		iota_bytes_text(&key, "\n");
	}
	iota_bytes_add(&key, path->name, path->len);
	f = iota_sharing_file(a, key.p, key.len);
	free(key.p);
	iota_sharing_name(a, f, path->name, path->len);
	return f;
}

/* What is there holds no bytes, but asks the kernel. */
static bool is_kernels(const struct iotr_path *path)
{
	return !strncmp(path->name, "/proc/", 6) || !strncmp(path->name, "/sys/", 5);
}

struct iota_sharing_file *iota_sharing_path(struct iota *a, const struct iotr_log *log,
					   const struct iotr_path *path)
{
	struct iota_sharing_file *f = iotr_notes_get(a->sharing->notes, path);

	if (f)
		return f == &no_file ? NULL : f;
	f = iota_maybe_file(path->mode) && !is_kernels(path) ? file_of_path(a, log, path) : &no_file;
	if (iotr_notes_put(a->sharing->notes, path, f) < 0)
		iota_no_memory();
	return f == &no_file ? NULL : f;
}

struct iota_sharing_file *iota_sharing_file_of(struct iota *a, const struct iotr_call *call)
{
	const struct iotr_path *path = NULL;
	size_t len;

	if (call->handle && !iota_maybe_file(call->handle->mode))
		return NULL;
	if (!iotr_call_path(call, &len, &path, NULL) || !path)
		return NULL;
	return iota_sharing_path(a, call->log, path);
}

/* ---- call sites ---- */

static int by_stack(const void *a, const void *b)
{
	const struct iota_access_site *x = a, *y = b;

	if (x->log != y->log)
		return x->log < y->log ? -1 : 1;
	if (x->stack != y->stack)
		return x->stack < y->stack ? -1 : 1;
	if (x->since != y->since)
		return x->since < y->since ? -1 : 1;
	return (x->call > y->call) - (x->call < y->call);
}

struct iota_access_site *iota_access_site(struct iota *a)
{
	struct iota_sharing *s = a->sharing;
	struct iota_access_site *new = iota_alloc(&a->memory, sizeof(*new));

	new->number = (uint32_t)s->n_sites;
	IOTA_ROOM(s->site, s->n_sites, s->cap_sites);
	s->site[s->n_sites++] = new;
	return new;
}

uint32_t iota_access_site_of(struct iota *a, const struct iotr_call *call)
{
	struct iota_sharing *s = a->sharing;
	struct iota_access_site wanted = {
		.call = call->schema->name, .log = call->log, .stack = call->stack, .since = iotr_call_since(call)};
	struct iota_access_site **there, *last = s->last_site;

	if (last && !by_stack(last, &wanted))
		return last->number;
	there = tfind(&wanted, &s->sites, by_stack);
	if (!there) {
		last = iota_access_site(a);
		wanted.number = last->number;
		*last = wanted;
		last->process = call->process;
		last->pid = call->pid;
		last->ticks = call->ticks;
		iota_tree_add(&s->sites, last, by_stack);
	} else {
		last = *there;
	}
	s->last_site = last;
	return last->number;
}

void iota_access_end(struct iota *a)
{
	struct iota_sharing *s = a->sharing;
	size_t i;

	for (i = 0; i < s->n_sites; i++)
		s->site[i]->chain =
			iota_chain_of(a, &(struct iota_origin){.log = s->site[i]->log,
							       .stack = s->site[i]->stack,
							       .process = s->site[i]->process,
							       .pid = s->site[i]->pid,
							       .ticks = s->site[i]->ticks});
}
