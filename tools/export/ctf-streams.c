/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf-streams.c - the directory of a trace of the Common Trace Format: its streams, which are
 * files of packets, and its metadata, which says what events look like.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctf.h"

#define PACKET (32 * 1024) /* bytes; an event that is begun below may go beyond */
#define MAGIC 0xc1fc1fc1u

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CTF_BYTE_ORDER "le"
#else
#define CTF_BYTE_ORDER "be"
#endif

/* The metadata says the same of the two. */
struct __attribute__((packed)) packet {
	uint32_t magic, stream_id;
	uint64_t stream_instance_id;
	uint64_t timestamp_begin, timestamp_end, content_size, packet_size; /* sizes in bits */
};

struct ctf_stream {
	struct ctf_stream *next;
	struct out o; /* the packet */
	struct packet packet;
	int fd;
};

static const char *output, *directory;
static struct ctf_stream *streams;
static struct out calls; /* their part of the metadata */

static const char head[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
	"trace {\n"
	"\tmajor = 1;\n"
	"\tminor = 8;\n"
	"\tbyte_order = " CTF_BYTE_ORDER ";\n"
	"\tpacket.header := struct {\n"
	"\t\tuint32_t magic;\n"
	"\t\tuint32_t stream_id;\n"
	"\t\tuint64_t stream_instance_id;\n"
	"\t};\n"
	"};\n"
	"env {\n"
	"\ttracer_name = \"iotrace\";\n"
	"\ttracer_version = \"" PACKAGE_VERSION "\";\n"
	"};\n";

static const char body[] =
	"typealias integer { size = 64; align = 8; signed = false; map = clock.realtime.value; } := moment_t;\n"
	"stream {\n"
	"\tid = 0;\n"
	"\tpacket.context := struct {\n"
	"\t\tmoment_t timestamp_begin;\n"
	"\t\tmoment_t timestamp_end;\n"
	"\t\tuint64_t content_size;\n"
	"\t\tuint64_t packet_size;\n"
	"\t};\n"
	"\tevent.header := struct {\n"
	"\t\tuint32_t id;\n"
	"\t\tmoment_t timestamp;\n"
	"\t};\n"
	"\tevent.context := struct {\n"
	"\t\tuint32_t _vpid;\n"
	"\t\tuint32_t _vtid;\n"
	"\t\tint32_t _rank;\n"
	"\t};\n"
	"};\n"
	"event {\n"
	"\tid = 0;\n"
	"\tname = \"iotrace:process\";\n"
	"\tstream_id = 0;\n"
	"\tfields := struct { uint32_t _pid; string _host; string _program; string _cmdline; };\n"
	"};\n"
	"event {\n"
	"\tid = 1;\n"
	"\tname = \"iotrace:thread\";\n"
	"\tstream_id = 0;\n"
	"\tfields := struct { uint32_t _tid; uint8_t _overlaps; };\n"
	"};\n"
	"struct entry {\n"
	"\tuint64_t _id;\n"
	"\tuint64_t _parent_id;\n"
	"\tint32_t _fd;\n"
	"\tstring _path;\n"
	"\tint64_t _offset;\n"
	"\tint64_t _size;\n"
	"\tstring _site;\n"
	"\tstring _args;\n"
	"\tuint8_t _internal;\n"
	"\tuint8_t _mpi_own;\n"
	"};\n"
	"struct exit {\n"
	"\tuint64_t _id;\n"
	"\tuint8_t _has_ret;\n"
	"\tint64_t _ret;\n"
	"\tstring _errno;\n"
	"\tuint64_t _read;\n"
	"\tuint64_t _written;\n"
	"\tuint64_t _moved;\n"
	"\tstring _status;\n"
	"};\n";

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

struct ctf_stream *iot_ctf_stream(unsigned number)
{
	struct ctf_stream *s = calloc(1, sizeof(*s));
	char name[30];

	if (!s)
		iot_no_memory();
	snprintf(name, sizeof(name), "stream-%u", number);
	*s = (struct ctf_stream){
		.next = streams, .o.fd = -1, .packet = {.magic = MAGIC, .stream_instance_id = number}, .fd = create(name)};
	streams = s;
	return s;
}

static void write_packet(struct ctf_stream *s)
{
	s->packet.content_size = s->packet.packet_size = s->o.len * 8;
	memcpy(s->o.buf, &s->packet, sizeof(s->packet));
	s->o.fd = s->fd;
	if (!iot_out_try(&s->o))
		failed();
	s->o.fd = -1;
}

struct out *iot_ctf_event(struct ctf_stream *s, uint64_t since, uint32_t event)
{
	if (s->o.len >= PACKET)
		write_packet(s);
	/* no reader reads on where time goes back, as it may in a log that is damaged */
	if (since < s->packet.timestamp_end)
		since = s->packet.timestamp_end;
	if (!s->o.len) {
		iot_out_bytes(&s->o, (const char *)&s->packet, sizeof(s->packet));
		s->packet.timestamp_begin = since;
	}
	s->packet.timestamp_end = since;
	ctf_u32(&s->o, event);
	ctf_u64(&s->o, since);
	return &s->o;
}

static void end_stream(struct ctf_stream *s)
{
	if (s->o.len)
		write_packet(s);
	complete(s->fd);
	free(s->o.buf);
	free(s);
}

/* ---- metadata ---- */

static void define_event(uint32_t id, const char *name, const char *what)
{
	out_lit(&calls, "event {\n\tid = ");
	iot_out_unsigned(&calls, id);
	out_lit(&calls, ";\n\tname = \"");
	for (; *name; name++)
		out_char(&calls, isalnum((unsigned char)*name) || *name == ':' ? *name : '_');
	out_char(&calls, '_');
	out_str(&calls, what);
	out_lit(&calls, "\";\n\tstream_id = 0;\n\tfields := struct ");
	out_str(&calls, what);
	out_lit(&calls, ";\n};\n");
}

void iot_ctf_define_call(uint32_t number, const char *name)
{
	define_event(number, name, "entry");
	define_event(number + 1, name, "exit");
}

static void define_clock(struct out *o, uint64_t started)
{
	out_lit(o, "clock {\n\tname = realtime;\n\tdescription = \"time of the day\";\n\tfreq = 1000000000;\n\toffset_s = ");
	iot_out_unsigned(o, started / 1000000000);
	out_lit(o, ";\n\toffset = ");
	iot_out_unsigned(o, started % 1000000000);
	out_lit(o, ";\n\tabsolute = true;\n};\n");
}

/* ---- the directory ---- */

static bool is_ours(const char *name)
{
	return !strcmp(name, "metadata") || !strncmp(name, "stream-", strlen("stream-"));
}

void iot_ctf_begin(const char *name)
{
	output = name;
	directory = iot_output_begin_directory(name, is_ours);
	calls = (struct out){.fd = -1};
}

void iot_ctf_end(uint64_t started)
{
	struct out o = {.fd = create("metadata"), .name = output};
	struct ctf_stream *s, *next;

	for (s = streams; s; s = next) {
		next = s->next;
		end_stream(s);
	}
	streams = NULL;
	out_str(&o, head);
	define_clock(&o, started);
	out_str(&o, body);
	iot_out_bytes(&o, calls.buf, calls.len);
	iot_out_flush(&o);
	complete(o.fd);
	free(o.buf);
	free(calls.buf);
	iot_output_end();
}
