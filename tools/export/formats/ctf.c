/* SPDX-License-Identifier: BSD-3-Clause */
/* ctf.c - a directory with a trace of the Common Trace Format 1.8, for babeltrace2 and Trace Compass. */
/* Its streams are files of packets; its metadata says what events look like. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../ctf.h"

#define MOST_STREAMS 256u
#define PACKET (32 * 1024) /* bytes; an event that is begun below may go beyond */
#define MAGIC 0xc1fc1fc1u

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTE_ORDER_NAME "le"
#else
#define BYTE_ORDER_NAME "be"
#endif

/* The metadata says the same of the two. */
struct __attribute__((packed)) packet {
	uint32_t magic, stream_id;
	uint64_t stream_instance_id;
	uint64_t timestamp_begin, timestamp_end, content_size, packet_size; /* sizes in bits */
};

struct stream { /* ctf_lane.user */
	struct out o; /* the packet */
	struct packet packet;
	int fd;
};

static const char *output, *directory;
static struct ctf ctf;
static struct out calls; /* their part of the metadata */
static uint64_t started;

static _Noreturn void failed(void)
{
	iot_die("can't write to %s: %s", output, strerror(errno));
}

static int create(const char *name)
{
	char *file;
	int fd;

	if (asprintf(&file, "%s/%s", directory, name) < 0)
		iot_no_memory();
	fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		failed();
	free(file);
	return fd;
}

static void complete(int fd)
{
	if (fsync(fd) < 0 || close(fd) < 0)
		failed();
}

/* ---- streams ---- */

static struct stream *open_stream(unsigned number)
{
	struct stream *s = calloc(1, sizeof(*s));
	char name[30];

	if (!s)
		iot_no_memory();
	snprintf(name, sizeof(name), "stream-%u", number);
	*s = (struct stream){
		.o.fd = -1, .packet = {.magic = MAGIC, .stream_instance_id = number}, .fd = create(name)};
	return s;
}

static void write_packet(struct stream *s)
{
	s->packet.content_size = s->packet.packet_size = s->o.len * 8;
	memcpy(s->o.buf, &s->packet, sizeof(s->packet));
	s->o.fd = s->fd;
	if (!iot_out_try(&s->o))
		failed();
	s->o.fd = -1;
}

static void end_stream(struct stream *s)
{
	if (s->o.len)
		write_packet(s);
	complete(s->fd);
	free(s->o.buf);
	free(s);
}

/* ---- events: whole numbers lie there as in memory, one behind the other ---- */

#define WRITE_NUMBER(type)                                                                        \
	static void write_##type(struct out *o, ctf_##type v)                                     \
	{                                                                                         \
		iot_out_bytes(o, (const char *)&v, sizeof(v));                                    \
	}
WRITE_NUMBER(u8)
WRITE_NUMBER(u32)
WRITE_NUMBER(i32)
WRITE_NUMBER(u64)
WRITE_NUMBER(i64)

static void write_text(struct out *o, const char *s)
{
	iot_out_bytes(o, s, strlen(s) + 1);
}

#define WRITE(type, name) write_##type(o, v->name);

static void write_context(struct out *o, const struct ctf_context *v)
{
	CTF_CONTEXT(WRITE)
}

static void write_process(struct out *o, const struct ctf_process *v)
{
	CTF_PROCESS(WRITE)
}

static void write_thread(struct out *o, const struct ctf_thread *v)
{
	CTF_THREAD(WRITE)
}

static void write_entry(struct out *o, const struct ctf_entry *v)
{
	CTF_ENTRY(WRITE)
}

static void write_exit(struct out *o, const struct ctf_exit *v)
{
	CTF_EXIT(WRITE)
}

static struct out *begin_event(struct stream *s, uint64_t since)
{
	if (s->o.len >= PACKET)
		write_packet(s);
	if (!s->o.len) {
		iot_out_bytes(&s->o, (const char *)&s->packet, sizeof(s->packet));
		s->packet.timestamp_begin = since;
	}
	s->packet.timestamp_end = since;
	return &s->o;
}

static void write_event(struct ctf *c, struct ctf_lane *l, uint64_t kind, const struct ctf_context *context,
			const void *fields)
{
	const uint64_t since = l->last > started ? l->last - started : 0;
	struct out *o;

	(void)c;
	if (!l->user)
		l->user = open_stream(l->number);
	o = begin_event(l->user, since);
	write_u32(o, (uint32_t)kind);
	write_u64(o, since);
	write_context(o, context);
	if (kind == CTF_IS_PROCESS)
		write_process(o, fields);
	else if (kind == CTF_IS_THREAD)
		write_thread(o, fields);
	else if (kind % 2 == 0)
		write_entry(o, fields);
	else
		write_exit(o, fields);
}

/* ---- metadata ---- */

#define FIELD(type, name) " " #type " _" #name ";"

static const char head[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := i32;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := i64;\n"
	"typealias string { encoding = UTF8; } := text;\n"
	"trace {\n"
	"\tmajor = 1;\n"
	"\tminor = 8;\n"
	"\tbyte_order = " BYTE_ORDER_NAME ";\n"
	"\tpacket.header := struct { u32 magic; u32 stream_id; u64 stream_instance_id; };\n"
	"};\n"
	"env {\n"
	"\ttracer_name = \"iotrace\";\n"
	"\ttracer_version = \"" PACKAGE_VERSION "\";\n"
	"};\n";

static const char body[] =
	"typealias integer { size = 64; align = 8; signed = false; map = clock.realtime.value; } := moment;\n"
	"stream {\n"
	"\tid = 0;\n"
	"\tpacket.context := struct { moment timestamp_begin; moment timestamp_end; u64 content_size; u64 packet_size; };\n"
	"\tevent.header := struct { u32 id; moment timestamp; };\n"
	"\tevent.context := struct {" CTF_CONTEXT(FIELD) " };\n"
	"};\n"
	"struct process {" CTF_PROCESS(FIELD) " };\n"
	"struct thread {" CTF_THREAD(FIELD) " };\n"
	"struct entry {" CTF_ENTRY(FIELD) " };\n"
	"struct exit {" CTF_EXIT(FIELD) " };\n";

static void describe(uint64_t kind, const char *name, const char *fields)
{
	out_lit(&calls, "event {\n\tid = ");
	iot_out_unsigned(&calls, kind);
	out_lit(&calls, ";\n\tname = \"");
	out_str(&calls, name);
	out_str(&calls, fields);
	out_lit(&calls, "\";\n\tstream_id = 0;\n\tfields := struct ");
	out_str(&calls, *fields == '_' ? fields + 1 : fields);
	out_lit(&calls, ";\n};\n");
}

static void define(struct ctf *c, uint64_t kind, const char *name)
{
	(void)c;
	describe(kind, name, "_entry");
	describe(kind + 1, name, "_exit");
}

static void define_clock(struct out *o)
{
	out_lit(o, "clock {\n\tname = realtime;\n\tdescription = \"time of the day\";\n\tfreq = 1000000000;\n\toffset_s = ");
	iot_out_unsigned(o, started / 1000000000);
	out_lit(o, ";\n\toffset = ");
	iot_out_unsigned(o, started % 1000000000);
	out_lit(o, ";\n\tabsolute = true;\n};\n");
}

static void write_metadata(void)
{
	struct out o = {.fd = create("metadata"), .name = output};

	out_str(&o, head);
	define_clock(&o);
	out_str(&o, body);
	iot_out_bytes(&o, calls.buf, calls.len);
	iot_out_flush(&o);
	complete(o.fd);
	free(o.buf);
}

/* ---- the format ---- */

/* Not all descriptors that there may be: the reader has logs open. */
static unsigned streams_at_most(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur / 4 >= MOST_STREAMS)
		return MOST_STREAMS;
	return limit.rlim_cur >= 8 ? (unsigned)limit.rlim_cur / 4 : 1;
}

static bool is_ours(const char *name)
{
	return !strcmp(name, "metadata") || !strncmp(name, "stream-", strlen("stream-"));
}

static void begin(const char *name, const struct iotr_set *set, struct iota *a)
{
	output = name;
	directory = iot_output_begin_directory(name, is_ours);
	calls = (struct out){.fd = -1};
	describe(CTF_IS_PROCESS, "iotrace:", "process");
	describe(CTF_IS_THREAD, "iotrace:", "thread");
	started = iot_export_begins(set);
	ctf = (struct ctf){.a = a, .event = write_event, .define = define};
	iot_ctf_begin(&ctf, streams_at_most());
}

static void add_call(const struct iota_sample *s)
{
	if (!ctf.n_calls && s->call->start < started)
		started = s->call->start; /* the first of all */
	iot_ctf_call(&ctf, s);
}

static void end(const struct iotr_set *set, struct iota *a)
{
	unsigned i;

	(void)set;
	(void)a;
	iot_ctf_end(&ctf);
	for (i = 0; i < ctf.n_lanes && ctf.lanes[i].user; i++)
		end_stream(ctf.lanes[i].user);
	write_metadata();
	iot_ctf_free(&ctf);
	free(calls.buf);
	iot_output_end();
}

FORMAT(ctf, 30, .begin = begin, .call = add_call, .end = end)
