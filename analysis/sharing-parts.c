/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sharing-parts.c - who does what to which bytes of a file, as bytes, and added to what there
 * is: see parts.c.  Processes, threads and call sites have other numbers there.
 */
#include "config.h"

#include <stdlib.h>

#include "constellation.h"
#include "parts.h"
#include "seeks.h"

/* ---- out ---- */

static void put_trail(struct iota_bytes *o, const struct iota_trail *t)
{
	iota_put_text(o, t, sizeof(*t));
	if (t)
		iota_put_text(o, t->n ? t->range : NULL, t->n * sizeof(t->range[0]));
}

static void put_file(struct iota_bytes *o, const struct iota_sharing_file *f)
{
	size_t i;

	iota_put_text(o, f->key, f->key_len);
	iota_put_word(o, f->n_names);
	for (i = 0; i < f->n_names; i++)
		iota_put_string(o, f->name[i]);
	iota_bytes_add(o, f->v, sizeof(f->v));
	iota_put_text(o, f->n ? f->run : NULL, f->n * sizeof(f->run[0]));
	iota_put_text(o, f->n_marks ? f->mark : NULL, f->n_marks * sizeof(f->mark[0]));
	iota_put_text(o, f->n_members ? f->member : NULL, f->n_members * sizeof(f->member[0]));
	for (i = 0; i < f->n_members; i++)
		put_trail(o, f->member[i].trail);
}

void iota_sharing_put(const struct iota *a, struct iota_bytes *o)
{
	const struct iota_sharing *s = a->sharing;
	size_t i;

	iota_put_word(o, s->n_clients);
	for (i = 0; i < s->n_clients; i++) {
		iota_put_text(o, s->client[i]->key, s->client[i]->key_len);
		iota_put_string(o, s->client[i]->host);
		iota_bytes_add(o, s->client[i], sizeof(*s->client[i]));
	}
	iota_put_word(o, s->n_tasks);
	for (i = 0; i < s->n_tasks; i++) {
		const struct iota_task *t = s->task[i];

		iota_put_text(o, t->key, t->key_len);
		iota_put_word(o, t->client->number);
		iota_bytes_add(o, t, sizeof(*t));
		iota_put_text(o, t->n ? t->event : NULL, t->n * sizeof(t->event[0]));
	}
	iota_put_word(o, s->n_sites);
	for (i = 0; i < s->n_sites; i++) {
		iota_put_string(o, s->site[i]->call);
		iota_put_chain(o, s->site[i]->chain);
	}
	iota_put_word(o, s->n_files);
	for (i = 0; i < s->n_files; i++)
		put_file(o, s->file[i]);
}

/* ---- and in ---- */

/* What numbers in the part have become. */
struct numbers {
	uint32_t *new;
	size_t n;
};

static struct numbers numbers(struct iota_in *in)
{
	uint64_t n = iota_take_word(in);

	if (in->bad || n > in->left) {
		in->bad = true;
		n = 0;
	}
	return (struct numbers){iota_grow(NULL, n + 1, sizeof(uint32_t)), n};
}

static uint32_t renumber(struct iota_in *in, const struct numbers *of, uint64_t n)
{
	if (n < of->n)
		return of->new[n];
	in->bad = true;
	return 0;
}

static void take_client(struct iota_in *in, uint32_t *number)
{
	size_t len, host_len;
	const char *key = iota_take_text(in, &len), *host = iota_take_text(in, &host_len);
	const void *p = iota_take_bytes(in, sizeof(struct iota_client));
	struct iota_client *c, from;

	if (!p || !key || !host) {
		in->bad = true;
		return;
	}
	memcpy(&from, p, sizeof(from));
	c = iota_client(in->a, key, len);
	*number = c->number;
	c->host = host;
	c->pid = from.pid;
	c->rank = from.rank;
	c->exits |= from.exits;
	c->end = from.end > c->end ? from.end : c->end;
}

static void take_task(struct iota_in *in, const struct numbers *clients, uint32_t *number)
{
	size_t len, size, i;
	const char *key = iota_take_text(in, &len);
	uint32_t client = renumber(in, clients, iota_take_word(in));
	const void *p = iota_take_bytes(in, sizeof(struct iota_task));
	const char *events = iota_take_text(in, &size);
	struct iota_task *t, from;
	struct iota_event e;

	if (!p || !key || in->bad) {
		in->bad = true;
		return;
	}
	memcpy(&from, p, sizeof(from));
	t = iota_task(in->a, key, len, in->a->sharing->client[client]);
	*number = t->number;
	t->tid = from.tid;
	t->first = t->first && t->first < from.first ? t->first : from.first;
	t->last = t->last > from.last ? t->last : from.last;
	t->created_at = from.created_at;
	t->ended_at = from.ended_at;
	for (i = 0; i + sizeof(e) <= size; i += sizeof(e)) {
		memcpy(&e, events + i, sizeof(e));
		iota_event_add(t, e);
	}
}

static void take_site(struct iota_in *in, uint32_t *number)
{
	size_t len;
	const char *call = iota_take_text(in, &len);
	struct iota_access_site *site;

	if (!call) {
		in->bad = true;
		return;
	}
	site = iota_access_site(in->a);
	*number = site->number;
	site->call = call;
	site->chain = iota_take_chain(in);
}

static void take_runs(struct iota_in *in, struct iota_sharing_file *f,
		      const struct numbers *tasks, const struct numbers *sites)
{
	size_t size, i;
	const char *runs = iota_take_text(in, &size);
	struct iota_run run;

	for (i = 0; i + sizeof(run) <= size; i += sizeof(run)) {
		memcpy(&run, runs + i, sizeof(run));
		run.task = renumber(in, tasks, run.task);
		run.site = renumber(in, sites, run.site);
		IOTA_ROOM(f->run, f->n, f->cap);
		f->run[f->n++] = run;
	}
}

static void take_trail(struct iota_in *in, struct iota_member *m)
{
	size_t size;
	struct iota_trail from;
	const char *p = iota_take_text(in, &size);

	if (!p)
		return;
	if (size != sizeof(from)) {
		in->bad = true;
		return;
	}
	memcpy(&from, p, size);
	from.range = (struct iota_range *)(void *)iota_take_text(in, &size);
	from.n = from.range ? size / sizeof(*from.range) : 0;
	iota_trail_join(m, &from);
}

static void take_members(struct iota_in *in, struct iota_sharing_file *f,
			 const struct numbers *tasks)
{
	size_t size, i, j;
	const char *list = iota_take_text(in, &size);
	struct iota_member member, *m;

	for (i = 0; i + sizeof(member) <= size; i += sizeof(member)) {
		memcpy(&member, list + i, sizeof(member));
		m = iota_member(f, renumber(in, tasks, member.task));
		for (j = 0; j < 2; j++) {
			m->calls[j] += member.calls[j];
			m->bytes[j] += member.bytes[j];
		}
		take_trail(in, m);
	}
}

static void take_file(struct iota_in *in, const struct numbers *clients,
		      const struct numbers *tasks, const struct numbers *sites)
{
	size_t len, size, i;
	const char *key = iota_take_text(in, &len), *name, *list;
	struct iota_sharing_file *f;
	struct iota_mark mark;
	const void *p;
	uint64_t n, seen[IOTA_N_SEEN];

	if (!key) {
		in->bad = true;
		return;
	}
	f = iota_sharing_file(in->a, key, len);
	for (n = iota_take_word(in); n && !in->bad; n--) {
		name = iota_take_text(in, &len);
		if (name)
			iota_sharing_name(in->a, f, name, len);
	}
	p = iota_take_bytes(in, sizeof(seen));
	if (p)
		memcpy(seen, p, sizeof(seen));
	for (i = 0; p && i < IOTA_N_SEEN; i++)
		f->v[i] += seen[i];
	take_runs(in, f, tasks, sites);
	list = iota_take_text(in, &size);
	for (i = 0; i + sizeof(mark) <= size; i += sizeof(mark)) {
		memcpy(&mark, list + i, sizeof(mark));
		mark.client = renumber(in, clients, mark.client);
		IOTA_ROOM(f->mark, f->n_marks, f->cap_marks);
		f->mark[f->n_marks++] = mark;
	}
	take_members(in, f, tasks);
}

void iota_sharing_take(struct iota_in *in)
{
	struct numbers clients = numbers(in), tasks, sites;
	uint64_t n;
	size_t i;

	for (i = 0; i < clients.n && !in->bad; i++)
		take_client(in, &clients.new[i]);
	tasks = numbers(in);
	for (i = 0; i < tasks.n && !in->bad; i++)
		take_task(in, &clients, &tasks.new[i]);
	sites = numbers(in);
	for (i = 0; i < sites.n && !in->bad; i++)
		take_site(in, &sites.new[i]);
	for (n = iota_take_word(in); n && !in->bad; n--)
		take_file(in, &clients, &tasks, &sites);
	free(clients.new);
	free(tasks.new);
	free(sites.new);
}
