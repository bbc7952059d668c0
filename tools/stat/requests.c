/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c - --file: the asynchronous requests on a file, in order. */
#include "config.h"

#include <stdio.h>

#include "../common/screen.h"
#include "by-time.h"
#include "file.h"

typedef unsigned long long ull;

static void print(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(struct out *o, const char *format, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	out_str(o, text);
}

static void out_sums(struct out *o, const struct iota_requests *r)
{
	char shortest[CELL], longest[CELL], mean[CELL];

	print(o, "asynchronous requests: %llu", (ull)r->n);
	if (r->failed)
		print(o, ", %llu failed", (ull)r->failed);
	if (r->n - r->completed > r->unseen)
		print(o, ", %llu never completed", (ull)(r->n - r->completed - r->unseen));
	if (r->unseen)
		print(o, ", %llu not seen to complete", (ull)r->unseen);
	if (r->uncollected)
		print(o, ", %llu never collected", (ull)r->uncollected);
	print(o, "; at most %llu in flight\n", (ull)r->depth);
	if (!r->timed)
		return;
	iot_stat_duration(shortest, r->shortest);
	iot_stat_duration(longest, r->longest);
	iot_stat_duration(mean, r->waited / r->timed);
	print(o, "from issue to end: %s to %s, %s on average\n", shortest, longest, mean);
}

/* What it moved, or why it did not. */
static void out_result(struct out *o, const struct iota_request *p)
{
	const char *error = p->err ? iotr_errno_name(p->err) : NULL;

	if (!p->completed)
		print(o, " %9llu", (ull)p->size);
	else if (error)
		print(o, " %9.9s", error);
	else
		print(o, " %9lld", (long long)p->ret);
}

static void out_request(struct out *o, const struct iota_request *p, uint64_t begin)
{
	char end[CELL + 1], kept[CELL] = "-";
	size_t width = iot_screen_width();

	print(o, "%10.6f %-9.9s", (double)(int64_t)(p->start - begin) / 1e9, p->operation);
	if (p->has_offset)
		print(o, " %10lld", (long long)p->offset);
	else
		print(o, " %10s", "");
	out_result(o, p);
	strcpy(end, p->unseen ? "?" : "never");
	if (p->completed && !p->wait) {
		strcpy(end, "-");
	} else if (p->completed) {
		/* it ended sooner, and nobody looked */
		end[0] = '<';
		iot_stat_duration(end + !!p->unsure, p->wait);
	}
	if (p->collected)
		iot_stat_duration(kept, p->kept);
	print(o, " %9s %8s %4llu ", end, kept, (ull)p->depth);
	iot_out_end_of(o, p->site, strlen(p->site), width > 80 ? width - 67 : 13);
	out_char(o, '\n');
}

void iot_stat_requests_text(struct out *o, const struct iota_requests *r, uint64_t begin, size_t most)
{
	size_t n = r->n_listed < most ? r->n_listed : most, i;

	if (!r->n)
		return;
	out_char(o, '\n');
	out_sums(o, r);
	iot_style(o, IOT_STRONG);
	out_lit(o, "      at s request       offset     bytes       end    taken   in line");
	iot_style(o, IOT_PLAIN);
	out_char(o, '\n');
	for (i = 0; i < n; i++)
		out_request(o, r->list[i], begin);
	if (r->n > n)
		print(o, "  and %llu more\n", (ull)(r->n - n));
}

static void json_request(struct out *o, const struct iota_request *p)
{
	print(o, "{\"start\":%llu,\"pid\":%u,\"op\":%llu,\"operation\":\"", (ull)p->start, p->pid, (ull)p->number);
	iot_out_json(o, p->operation, strlen(p->operation));
	print(o, "\",\"size\":%llu,\"depth\":%llu", (ull)p->size, (ull)p->depth);
	if (p->has_offset)
		print(o, ",\"offset\":%lld", (long long)p->offset);
	if (p->completed) {
		const char *error = p->err ? iotr_errno_name(p->err) : NULL;

		print(o, ",\"ret\":%lld,\"wait\":%llu,\"unsure\":%llu", (long long)p->ret, (ull)p->wait, (ull)p->unsure);
		if (error)
			print(o, ",\"errno\":\"%s\"", error);
	}
	if (p->collected)
		print(o, ",\"collected\":%llu", (ull)p->kept);
	if (p->told) {
		out_lit(o, ",\"told\":\"");
		iot_out_json(o, p->told, strlen(p->told));
		out_char(o, '"');
	}
	out_lit(o, ",\"site\":\"");
	iot_out_json(o, p->site, strlen(p->site));
	out_lit(o, "\"}");
}

void iot_stat_requests_json(struct out *o, const struct iota_requests *r)
{
	size_t i;

	print(o,
	      ",\n\"requests\":{\"n\":%llu,\"completed\":%llu,\"failed\":%llu,\"uncollected\":%llu,\"depth\":%llu,"
	      "\"timed\":%llu,\"shortest\":%llu,\"longest\":%llu,\"waited\":%llu,\"bytes\":%llu,\"list\":[",
	      (ull)r->n, (ull)r->completed, (ull)r->failed, (ull)r->uncollected, (ull)r->depth, (ull)r->timed,
	      (ull)r->shortest, (ull)r->longest, (ull)r->waited, (ull)r->bytes);
	for (i = 0; i < r->n_listed; i++) {
		out_str(o, i ? ",\n" : "");
		json_request(o, r->list[i]);
	}
	out_lit(o, "]}");
}
