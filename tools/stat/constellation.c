/* SPDX-License-Identifier: BSD-3-Clause */
/* constellation.c - --by=constellation: who shares which bytes of a file with whom. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../analysis/sharing.h"
#include "stat.h"

/* ---- numbers that JSON and csv have ---- */

static const struct number {
	const char *key;
	size_t at; /* in struct iota_constellation; uint64_t */
} numbers[] = {
#define NUMBER(key, member) {key, offsetof(struct iota_constellation, member)}
	NUMBER("processes", processes),
	NUMBER("threads", threads),
	NUMBER("readers", readers),
	NUMBER("writers", writers),
	NUMBER("reads", reads),
	NUMBER("writes", writes),
	NUMBER("read", read),
	NUMBER("written", written),
	NUMBER("read_again", again[0]),
	NUMBER("written_again", again[1]),
	NUMBER("depends", depends),
	NUMBER("overwritten", overwritten),
	NUMBER("replaced", replaced),
	NUMBER("appends", appends),
	NUMBER("handed_over", handed_over),
	NUMBER("opens", opens),
	NUMBER("closes", closes),
	NUMBER("syncs", syncs),
	NUMBER("locks", locks),
	NUMBER("collectives", collectives),
	NUMBER("metadata_reads", looked),
	NUMBER("metadata_changes", changed),
	NUMBER("unknown", unknown),
	NUMBER("mapped", mapped),
	NUMBER("left_out", left_out),
	NUMBER("joined", joined),
#undef NUMBER
	{NULL, 0},
};

static uint64_t value(const struct iota_constellation *c, const struct number *n)
{
	uint64_t v;

	memcpy(&v, (const char *)c + n->at, sizeof(v));
	return v;
}
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "numbers of processes are read as 64 bits");

static size_t shown(size_t n)
{
	return n < iot_stat_options.top ? n : iot_stat_options.top;
}

/* ---- JSON ---- */

static void text(struct out *o, const char *before, const char *s)
{
	out_str(o, before);
	out_char(o, '"');
	iot_out_json(o, s, strlen(s));
	out_char(o, '"');
}

static void number(struct out *o, const char *before, uint64_t v)
{
	out_str(o, before);
	iot_out_unsigned(o, v);
}

static void json_accessor(struct out *o, const struct iota_accessor *by)
{
	struct iota_line line;

	text(o, "{\"call\":", by->call);
	number(o, ",\"pid\":", by->pid);
	number(o, ",\"tid\":", by->tid);
	if (by->rank >= 0)
		number(o, ",\"rank\":", (uint64_t)by->rank);
	if (iota_chain_line(by->chain, &line)) {
		out_str(o, ",\"site\":");
		iot_stat_json_line(o, line);
	}
	out_char(o, '}');
}

static void json_conflict(struct out *o, const struct iota_conflict *c)
{
	text(o, "{\"kind\":", iota_conflict_name(c->kind));
	number(o, ",\"bytes\":", c->bytes);
	number(o, ",\"offset\":", c->offset);
	out_str(o, c->at_once ? ",\"at_once\":true" : ",\"at_once\":false");
	out_str(o, ",\"first\":");
	json_accessor(o, &c->by[0]);
	out_str(o, ",\"second\":");
	json_accessor(o, &c->by[1]);
	out_char(o, '}');
}

static void json_one(struct out *o, const struct iota_constellation *c)
{
	const struct number *n;
	char key[40];
	size_t i;

	text(o, "{\"path\":", c->name);
	number(o, ",\"names\":", c->names);
	text(o, ",\"constellation\":", c->is);
	text(o, ",\"consistency\":", iota_consistency_name(c->needs));
	out_str(o, c->at_least ? ",\"at_least\":true" : ",\"at_least\":false");
	out_str(o, c->at_once ? ",\"at_once\":true" : ",\"at_once\":false");
	for (n = numbers; n->key; n++) {
		snprintf(key, sizeof(key), ",\"%s\":", n->key);
		number(o, key, value(c, n));
	}
	out_str(o, ",\"ordered_by\":{");
	for (i = 0; i < IOTA_N_ORDERS; i++) {
		snprintf(key, sizeof(key), "%s\"%s\":", i ? "," : "", iota_order_name((enum iota_order)i));
		number(o, key, c->by[i]);
	}
	out_str(o, "},\"conflicts\":[");
	for (i = 0; i < c->n_conflicts; i++) {
		if (i)
			out_char(o, ',');
		json_conflict(o, &c->conflict[i]);
	}
	number(o, "],\"conflicts_left_out\":", c->more_conflicts);
	out_char(o, '}');
}

void iot_stat_constellations_json(struct out *o, const struct iota *a)
{
	const char *bound = iota_constellations_bound(a);
	size_t n, i;
	const struct iota_constellation *c = iota_constellations(a, &n);

	for (i = 0; i < shown(n); i++) {
		out_str(o, i ? ",\n" : ",\"constellations\":[\n");
		json_one(o, &c[i]);
	}
	out_str(o, i ? "]" : ",\"constellations\":[]");
	if (bound)
		text(o, ",\"constellations_bound\":", bound);
}

/* ---- csv ---- */

void iot_stat_constellations_csv(const struct iota *a)
{
	struct out *o = &iot_stdout;
	const struct number *m;
	size_t n, i, j;
	const struct iota_constellation *c = iota_constellations(a, &n);

	out_str(o, "path,constellation,consistency,at_least,at_once");
	for (m = numbers; m->key; m++) {
		out_char(o, ',');
		out_str(o, m->key);
	}
	for (j = 0; j < IOTA_N_ORDERS; j++) {
		out_str(o, ",by_");
		out_str(o, iota_order_name((enum iota_order)j));
	}
	out_char(o, '\n');
	for (i = 0; i < shown(n); i++) {
		iot_out_csv(o, c[i].name, strlen(c[i].name));
		out_char(o, ',');
		out_str(o, c[i].is);
		out_char(o, ',');
		out_str(o, iota_consistency_name(c[i].needs));
		number(o, ",", c[i].at_least);
		number(o, ",", c[i].at_once);
		for (m = numbers; m->key; m++)
			number(o, ",", value(&c[i], m));
		for (j = 0; j < IOTA_N_ORDERS; j++)
			number(o, ",", c[i].by[j]);
		out_char(o, '\n');
	}
}

/* ---- text ---- */

static void out_moved(struct out *o, const struct iota_constellation *c)
{
	out_lit(o, "    ");
	iot_stat_out_count(o, c->processes, "process", "processes");
	out_lit(o, ", ");
	iot_stat_out_count(o, c->threads, "thread", "threads");
	if (c->writers) {
		out_lit(o, "; ");
		iot_stat_out_count(o, c->writers, "writer", "writers");
		iot_stat_out_bytes(o, ", ", c->written);
	}
	if (c->again[1])
		iot_stat_out_bytes(o, ", of which written over by the same one ", c->again[1]);
	if (c->readers) {
		out_lit(o, "; ");
		iot_stat_out_count(o, c->readers, "reader", "readers");
		iot_stat_out_bytes(o, ", ", c->read);
	}
	if (c->again[0])
		iot_stat_out_bytes(o, ", of which read again by the same one ", c->again[0]);
	out_char(o, '\n');
}

static void out_shared(struct out *o, const struct iota_constellation *c)
{
	if (c->depends)
		iot_stat_out_bytes(o, "    read that another had written: ", c->depends), out_char(o, '\n');
	if (c->overwritten)
		iot_stat_out_bytes(o, "    written over what another had written: ", c->overwritten),
			out_char(o, '\n');
	if (c->replaced)
		iot_stat_out_bytes(o, "    written over what another had read: ", c->replaced), out_char(o, '\n');
	if (!c->handed_over)
		return;
	out_lit(o, "    appended ");
	iot_stat_out_count(o, c->appends, "time", "times");
	out_lit(o, ", to what another had appended ");
	iot_stat_out_count(o, c->handed_over, "time", "times");
	out_char(o, '\n');
}

static const char *in_words(enum iota_order order)
{
	static const char *const words[IOTA_N_ORDERS] = {
		"nothing",	  "fork",	      "wait",
		"exec",		  "pthread_create",   "locks",
		"MPI",		  "close, then open", "sync or close, then the access",
		"a thread's end"};

	return words[order];
}

static void out_orders(struct out *o, const struct iota_constellation *c)
{
	bool any = false;
	size_t i;

	for (i = 0; i < IOTA_N_ORDERS; i++) {
		if (!c->by[i])
			continue;
		out_str(o, any ? ", " : "    ordered by ");
		out_str(o, in_words((enum iota_order)i));
		iot_stat_out_bytes(o, ": ", c->by[i]);
		any = true;
	}
	if (any)
		out_char(o, '\n');
	if (c->threads > 1 && c->locks && !c->by[IOTA_ORDER_LOCK])
		out_lit(o, "    locks that order none of it: "), iot_out_unsigned(o, c->locks),
			out_char(o, '\n');
	if (c->threads > 1 && c->syncs && c->needs <= IOTA_CONSISTENCY_SESSION)
		out_lit(o, "    syncs that no other process needs: "), iot_out_unsigned(o, c->syncs),
			out_char(o, '\n');
}

static void out_needs(struct out *o, const struct iota_constellation *c)
{
	static const char *const words[] = {
		"no process needs what another wrote: any file system does",
		"what is written before close() has to be seen after open(): session consistency",
		"what is written has to be seen after fsync() or close(): commit consistency",
		"what is written has to be seen at once: POSIX consistency"};

	out_lit(o, "    ");
	out_str(o, words[c->needs]);
	if (c->at_least)
		out_lit(o, ", or more: not all accesses are known");
	out_char(o, '\n');
}

static void out_accessor(struct out *o, const struct iota_accessor *by)
{
	struct iota_line line;

	iot_out_c(o, by->call, strlen(by->call));
	if (iota_chain_line(by->chain, &line)) {
		out_lit(o, " in ");
		if (line.func)
			iot_out_c(o, line.func, strlen(line.func));
		if (line.file) {
			out_lit(o, " (");
			iot_out_c(o, line.file, strlen(line.file));
			if (line.line)
				number(o, ":", (uint64_t)line.line);
			out_char(o, ')');
		}
	}
	if (by->rank >= 0)
		number(o, ", rank ", (uint64_t)by->rank);
	number(o, ", thread ", by->tid);
}

static void out_conflicts(struct out *o, const struct iota_constellation *c)
{
	static const char *const then[] = {", then read by ", ", then written by ",
					   ", then written by "};
	size_t i;

	for (i = 0; i < c->n_conflicts; i++) {
		const struct iota_conflict *x = &c->conflict[i];

		iot_stat_out_bytes(o, "    nothing orders: ", x->bytes);
		number(o, " from ", x->offset);
		out_str(o, x->kind == IOTA_READ_WRITE ? ", read by " : ", written by ");
		out_accessor(o, &x->by[0]);
		out_str(o, then[x->kind]);
		out_accessor(o, &x->by[1]);
		out_str(o, x->at_once ? ", at the same time\n" : "\n");
	}
	if (c->more_conflicts)
		iot_stat_out_bytes(o, "    and between other lines: ", c->more_conflicts), out_char(o, '\n');
}

static void out_limits(struct out *o, const struct iota_constellation *c)
{
	static const struct {
		size_t at;
		const char *text;
	} limits[] = {
		{offsetof(struct iota_constellation, unknown),
		 "    reads and writes of which the log does not say where: "},
		{offsetof(struct iota_constellation, mapped),
		 "    mappings, by which the log does not say what was read and written: "},
		{offsetof(struct iota_constellation, left_out),
		 "    accesses left out, since they are too many: "},
		{offsetof(struct iota_constellation, joined),
		 "    accesses taken for one with a neighbour, since they are many: "},
	};
	size_t i;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		uint64_t v = value(c, &(struct number){NULL, limits[i].at});

		if (!v)
			continue;
		number(o, limits[i].text, v);
		out_char(o, '\n');
	}
}

void iot_stat_constellations_text(const struct iota *a)
{
	const char *bound = iota_constellations_bound(a);
	struct out *o = &iot_stdout;
	size_t n, i;
	const struct iota_constellation *c = iota_constellations(a, &n);

	for (i = 0; i < shown(n); i++, c++) {
		out_char(o, '\n');
		iot_out_c(o, c->name, strlen(c->name));
		if (c->names > 1)
			number(o, ", of names: ", c->names);
		out_lit(o, ": ");
		out_str(o, c->is);
		if (c->looked)
			out_lit(o, ", metadata read");
		if (c->changed)
			out_lit(o, ", metadata changed");
		out_char(o, '\n');
		if (c->threads)
			out_moved(o, c);
		out_shared(o, c);
		out_orders(o, c);
		if (c->processes > 1)
			out_needs(o, c);
		out_conflicts(o, c);
		out_limits(o, c);
	}
	if (shown(n) < n) {
		out_lit(o, "\nand ");
		iot_stat_out_count(o, n - shown(n), "more file", "more files");
		out_lit(o, "; --top=0 shows all\n");
	}
	if (bound) {
		out_char(o, '\n');
		out_str(o, bound);
		out_char(o, '\n');
	}
}
