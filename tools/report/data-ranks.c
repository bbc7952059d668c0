/* SPDX-License-Identifier: BSD-3-Clause */
/* data-ranks.c - of what a page shows: MPI-IO by rank, and operations from issue to completion. */
#include "config.h"

#include <stdlib.h>

#include "../stat/member.h"
#include "data.h"

static void out_transfers(struct out *o, const char *key, const struct iota_transfers *t)
{
	const int64_t number[] = {(int64_t)t->calls, (int64_t)t->bytes, (int64_t)t->time};
	bool any = false;

	data_begin_list(o, key);
	data_numbers(o, &any, number, sizeof(number) / sizeof(number[0]));
	out_char(o, ']');
}

static void out_mpi(struct out *o, const struct iota_picture *p)
{
	bool any = false;
	size_t i;

	data_begin_list(o, "mpi");
	for (i = 0; i < p->n_lanes; i++) {
		const struct iota_lane *l = &p->lane[i];

		if (!l->mpi[0].calls && !l->mpi[1].calls && !l->met)
			continue;
		out_str(o, any ? ",\n{" : "\n{");
		any = true;
		json_number(o, "lane", i);
		out_transfers(o, "independent", &l->mpi[IOTA_INDEPENDENT]);
		out_transfers(o, "collective", &l->mpi[IOTA_COLLECTIVE]);
		out_transfers(o, "beneath_independent", &l->beneath[IOTA_INDEPENDENT]);
		out_transfers(o, "beneath_collective", &l->beneath[IOTA_COLLECTIVE]);
		json_number(o, "met", l->met);
		json_number(o, "waited", l->waited);
		json_number(o, "last", l->last);
		json_number(o, "kept_waiting", l->kept_waiting);
		out_char(o, '}');
	}
	out_char(o, ']');
}

static void out_meetings(struct out *o, const struct iota_picture *p)
{
	size_t i, k;

	json_number(o, "meetings_seen", p->meets.seen);
	data_begin_list(o, "meetings");
	for (i = 0; i < p->meets.n; i++) {
		const struct iota_meeting *m = &p->meets.meeting[i];

		out_str(o, i ? ",\n{" : "\n{");
		json_string(o, "call", m->call);
		if (m->file < SIZE_MAX)
			json_number(o, "file", m->file);
		json_number(o, "waited", m->waited);
		data_begin_list(o, "members");
		for (k = 0; k < m->n; k++) {
			out_str(o, k ? "," : "");
			iot_out_unsigned(o, m->member[k].lane);
			out_char(o, ',');
			data_time(o, p, m->member[k].start);
			out_char(o, ',');
			iot_out_unsigned(o, m->member[k].dur);
		}
		out_lit(o, "]}");
	}
	out_char(o, ']');
}

/* ---- operations ---- */

static void out_operations(struct out *o, const struct iota_picture *p)
{
	bool any = false;
	size_t i;

	data_begin_list(o, "operations");
	for (i = 0; i < p->n_lanes; i++) {
		const struct iota_lane *l = &p->lane[i];
		const int64_t number[] = {(int64_t)i, (int64_t)l->operations, (int64_t)l->in_flight, (int64_t)l->blocked};

		if (l->operations)
			data_numbers(o, &any, number, sizeof(number) / sizeof(number[0]));
	}
	out_char(o, ']');
}

static void out_arcs(struct out *o, const struct iota_picture *p)
{
	uint64_t previous = p->begin;
	struct data_names names = {0};
	bool any = false;
	size_t i;

	json_number(o, "arcs_seen", p->arcs.seen);
	data_begin_list(o, "arcs");
	for (i = 0; i < p->arcs.n; i++) {
		const struct iota_arc *a = &p->arcs.arc[i];
		const int64_t number[] = {
			(int64_t)(a->issued - previous), (int64_t)(a->ended - a->issued), a->lane, a->to,
			(int64_t)data_place_of(&names, a->operation), (int64_t)a->file, (int64_t)a->size, a->err,
		};

		previous = a->issued;
		data_numbers(o, &any, number, sizeof(number) / sizeof(number[0]));
	}
	out_char(o, ']');
	data_names(o, "operation_names", names.name, names.n);
	free(names.name);
}

void data_ranks(struct out *o, const struct iota_picture *p)
{
	out_mpi(o, p);
	out_meetings(o, p);
	out_operations(o, p);
	out_arcs(o, p);
}
