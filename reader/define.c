/* SPDX-License-Identifier: BSD-3-Clause */
/* define.c - paths, handles, devices, losses and the like, as a log defines them. */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "define.h"
#include "streams.h"

/* A handle may be read before the path that it refers to. */
struct iotr_handle_def {
	struct iotr_handle handle;
	uint64_t path;
	struct iotr_handle_def *next;
};

/* A path may be read before the directory that it is below. */
struct iotr_path_def {
	struct iotr_path *path;
	uint64_t dir;
	struct iotr_path_def *next;
};

static struct iotr_path *path_new(struct iotr_log *log, const char *bytes, size_t len)
{
	struct iotr_path *path = iotr_arena_alloc(&log->arena, sizeof(*path));

	path->name = iotr_arena_copy(&log->arena, bytes, len);
	path->len = len;
	path->size = IOTR_UNKNOWN_SIZE;
	return path;
}

static bool define_path(struct iotr_log *log, const uint64_t *p, size_t n)
{
	struct iotr_path *path;
	const size_t at = IOT_DEF_PATH_NAME;
	const char *bytes;
	size_t len, words;

	if (n <= at || !p[0] || !iotr_inline_bytes(log, p + at, n - at, &bytes, &len, &words))
		return false;
	path = path_new(log, bytes, len);
	path->dev = p[1];
	path->ino = p[2];
	path->mode = (uint32_t)p[3];
	if (p[3] >> 32) {
		struct iotr_path_def *d = iotr_arena_alloc(&log->arena, sizeof(*d));

		*d = (struct iotr_path_def){path, p[3] >> 32, log->path_defs};
		log->path_defs = d;
	}
	if (n >= at + words + 2) {
		path->size = p[at + words];
		path->blksize = (uint32_t)p[at + words + 1];
	}
	path->layout = iotr_idmap_get(&log->layout, p[0]);
	iotr_idmap_put(&log->path, p[0], path);
	return true;
}

static bool define_handle(struct iotr_log *log, const uint64_t *p, size_t n)
{
	struct iotr_handle_def *d;
	const char *bytes;
	size_t len, words = 1;

	if (n < 4 || !p[0] || p[0] > UINT32_MAX)
		return false;
	d = iotr_arena_alloc(&log->arena, sizeof(*d));
	d->handle.id = (uint32_t)p[0];
	d->handle.fd = (int)(uint32_t)p[1];
	if (p[2] & IOT_INLINE) {
		if (!iotr_inline_bytes(log, p + 2, n - 2, &bytes, &len, &words) || words + 2 >= n)
			return false;
		if (len)
			d->handle.path = path_new(log, bytes, len);
	} else {
		d->path = p[2];
	}
	d->handle.mode = (uint32_t)p[2 + words];
	d->next = log->handle_defs;
	log->handle_defs = d;
	iotr_idmap_put(&log->handle, p[0], &d->handle);
	return true;
}

static bool define_code(struct iotr_log *log, const uint64_t *p, size_t n)
{
	static const char *const languages[] = {[IOT_CODE_PYTHON] = "python"};
	size_t len, words = 1;
	struct iotr_code *code;
	const char *bytes;

	if (n < 4 || !p[0] || p[0] > UINT32_MAX)
		return false;
	if (p[1] >= sizeof(languages) / sizeof(languages[0]) || !languages[p[1]])
		return true; /* of a later version's */
	code = iotr_arena_alloc(&log->arena, sizeof(*code));
	code->language = languages[p[1]];
	if (p[2] & IOT_INLINE) {
		if (!iotr_inline_bytes(log, p + 2, n - 2, &bytes, &len, &words) || words + 2 >= n)
			return false;
		code->file = iotr_arena_copy(&log->arena, bytes, len);
	} else {
		code->path = p[2];
	}
	if (!iotr_inline_bytes(log, p + 2 + words, n - 2 - words, &bytes, &len, &words))
		return false;
	code->func = iotr_arena_copy(&log->arena, bytes, len);
	iotr_idmap_put(&log->codes, p[0], code);
	return true;
}

static bool define_lost(struct iotr_log *log, const uint64_t *p, size_t n)
{
	if (n < 2)
		return false;
	log->lost_defs.calls += p[0];
	if (!log->lost_defs.reason)
		log->lost_defs.reason = p[1];
	return true;
}

static bool define_rank(struct iotr_log *log, const uint64_t *p, size_t n)
{
	if (n < 2 || p[1] > INT32_MAX || p[0] >= p[1])
		return false;
	if (log->rank >= 0 && log->rank != (int)p[0] && !log->rank_checked)
		iotr_say(log, IOTR_NOTE, "is of rank %d, not %d as the launcher said", (int)p[0],
			 log->rank);
	log->rank = (int)p[0];
	log->n_ranks = (int)p[1];
	log->rank_checked = true;
	return true;
}

static bool define_device(struct iotr_log *log, const uint64_t *p, size_t n)
{
	size_t i = 0;

	if (n < 3)
		return false;
	while (i < log->n_devices && log->device[i].dev != p[0])
		i++;
	if (i == IOTR_MAX_DEVICES)
		return true;
	log->device[i] = (struct iotr_device){p[0], (uint32_t)p[1], (uint32_t)p[2]};
	log->n_devices += i == log->n_devices;
	return true;
}

#define MAX_PARTS 64

/* Takes the layout of one part of a file.  A file's parts are in the order of their offsets. */
static bool define_layout(struct iotr_log *log, const uint64_t *p, size_t n)
{
	struct iotr_layout *l, *first, **at = &first;
	struct iotr_path *path;
	unsigned i;

	if (n < 6 || !p[0] || p[0] > UINT32_MAX)
		return false;
	first = iotr_idmap_get(&log->layout, p[0]);
	for (i = 0; i < MAX_PARTS && *at && (*at)->from < p[4]; i++)
		at = &(*at)->next;
	if (i == MAX_PARTS)
		return true;
	if (!*at || (*at)->from != p[4]) {
		l = iotr_arena_alloc(&log->arena, sizeof(*l));
		l->next = *at;
		*at = l;
	}
	l = *at;
	*l = (struct iotr_layout){p[1], p[2], p[3], p[4], p[5], l->next};
	iotr_idmap_put(&log->layout, p[0], first);
	path = iotr_idmap_get(&log->path, p[0]);
	if (path)
		path->layout = first;
	return true;
}

static void take_io(struct iotr_stream *s, uint64_t ticks, const uint64_t *p)
{
	const struct iotr_io io = {p[0], p[1], p[2], p[3], p[4], p[5], p[6]};

	if (!s->has_io || ticks < s->io_ticks[0]) {
		s->io[0] = io;
		s->io_ticks[0] = ticks;
	}
	if (!s->has_io || ticks >= s->io_ticks[1]) {
		s->io[1] = io;
		s->io_ticks[1] = ticks;
	}
	s->has_io = true;
}

/* Keeps what was used in order of time.  Blocks come by time, except in hostile logs; a block of a log
   that is followed comes again. */
static void add_usage(struct iotr_stream *s, struct iotr_usage u)
{
	size_t at = s->n_used;

	while (at && s->used[at - 1].ticks > u.ticks)
		at--;
	if (at && s->used[at - 1].ticks == u.ticks) {
		s->used[at - 1] = u;
		return;
	}
	s->used = iotr_grow(s->used, &s->cap_used, s->n_used + 1, sizeof(*s->used));
	memmove(s->used + at + 1, s->used + at, (s->n_used++ - at) * sizeof(*s->used));
	s->used[at] = u;
}

void iotr_usage_take(struct iotr_stream *s, const uint64_t *p, size_t n)
{
	if (n < 9)
		return;
	add_usage(s, (struct iotr_usage){p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]});
	if (n >= 16)
		take_io(s, p[0], p + 9);
}

/* How much a counter grew.  Counters of hostile logs may run backwards. */
static uint64_t grown(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* The difference between the first and the last that a stream says of what its thread used. */
static struct iotr_usage used_by(const struct iotr_stream *s)
{
	const struct iotr_usage none = {0}, *a = s->n_used ? s->used : &none, *b = s->n_used ? s->used + s->n_used - 1 : a;

	return (struct iotr_usage){
		.ticks = grown(a->ticks, b->ticks),
		.user = grown(a->user, b->user),
		.system = grown(a->system, b->system),
		.minor = grown(a->minor, b->minor),
		.major = grown(a->major, b->major),
		.in = grown(a->in, b->in),
		.out = grown(a->out, b->out),
		.voluntary = grown(a->voluntary, b->voluntary),
		.involuntary = grown(a->involuntary, b->involuntary),
	};
}

bool iotr_log_usage_next(const struct iotr_log *log, size_t *at, uint32_t *pid, uint32_t *tid,
			 struct iotr_usage *usage)
{
	while (*at < log->n_streams) {
		const struct iotr_stream *s = log->stream[(*at)++];

		if (!s->n_used)
			continue;
		*pid = s->pid;
		*tid = s->tid;
		*usage = used_by(s);
		return true;
	}
	return false;
}

bool iotr_log_usage_at(const struct iotr_log *log, uint32_t stream, size_t n, struct iotr_usage *usage)
{
	const struct iotr_stream *s = iotr_idmap_get(&log->stream_by_id, stream);

	if (!s || n >= s->n_used)
		return false;
	*usage = s->used[n];
	return true;
}

struct iotr_usage iotr_log_usage(const struct iotr_log *log)
{
	struct iotr_usage sum = {0};
	size_t i;

	for (i = 0; i < log->n_streams; i++) {
		struct iotr_usage u = used_by(log->stream[i]);

		sum.ticks += u.ticks;
		sum.user += u.user;
		sum.system += u.system;
		sum.minor += u.minor;
		sum.major += u.major;
		sum.in += u.in;
		sum.out += u.out;
		sum.voluntary += u.voluntary;
		sum.involuntary += u.involuntary;
	}
	return sum;
}

/* The names that proc(5) has for the numbers, in the log's order. */
static const struct {
	const char *name;
	size_t at;
} io_numbers[] = {
#define NUMBER(name) {#name, offsetof(struct iotr_io, name)}
	NUMBER(rchar), NUMBER(wchar), NUMBER(syscr), NUMBER(syscw), NUMBER(read_bytes), NUMBER(write_bytes),
	NUMBER(cancelled_write_bytes),
#undef NUMBER
};
#define N_IO (sizeof(io_numbers) / sizeof(io_numbers[0]))

static uint64_t *io_number(struct iotr_io *io, size_t n)
{
	return (uint64_t *)((char *)io + io_numbers[n].at);
}

const char *iotr_io_number(const struct iotr_io *io, size_t n, uint64_t *value)
{
	if (n >= N_IO)
		return NULL;
	memcpy(value, (const char *)io + io_numbers[n].at, sizeof(*value));
	return io_numbers[n].name;
}

static struct iotr_io io_of(const struct iotr_stream *s)
{
	struct iotr_io io = {0}, begin = s->io[0], end = s->io[1];
	size_t i;

	for (i = 0; i < N_IO; i++)
		*io_number(&io, i) = grown(*io_number(&begin, i), *io_number(&end, i));
	return io;
}

bool iotr_log_io_next(const struct iotr_log *log, size_t *at, uint32_t *pid, uint32_t *tid, struct iotr_io *io)
{
	while (*at < log->n_streams) {
		const struct iotr_stream *s = log->stream[(*at)++];

		if (!s->has_io)
			continue;
		*pid = s->pid;
		*tid = s->tid;
		*io = io_of(s);
		return true;
	}
	return false;
}

bool iotr_log_io(const struct iotr_log *log, struct iotr_io *io)
{
	struct iotr_io one;
	uint32_t pid, tid;
	bool any = false;
	size_t at = 0, i;

	*io = (struct iotr_io){0};
	for (; iotr_log_io_next(log, &at, &pid, &tid, &one); any = true)
		for (i = 0; i < N_IO; i++)
			*io_number(io, i) += *io_number(&one, i);
	return any;
}

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

uint32_t *iotr_log_path_ids(const struct iotr_log *log, size_t *n)
{
	uint32_t *id = malloc((log->path.n + 1) * sizeof(*id));
	size_t at = 0;
	uint64_t key;

	*n = 0;
	if (!id)
		return NULL;
	while (iotr_idmap_next(&log->path, &at, &key))
		if (key <= UINT32_MAX)
			id[(*n)++] = (uint32_t)key;
	qsort(id, *n, sizeof(*id), by_id);
	return id;
}

const struct iotr_device *iotr_log_device_at(const struct iotr_log *log, size_t n)
{
	return n < log->n_devices ? &log->device[n] : NULL;
}

const struct iotr_device *iotr_log_device(const struct iotr_log *log, uint64_t dev)
{
	size_t i;

	for (i = 0; i < log->n_devices; i++)
		if (log->device[i].dev == dev)
			return &log->device[i];
	return NULL;
}

const char *iotr_filesystem_name(uint32_t type)
{
	static const struct {
		uint32_t type;
		const char *name;
	} names[] = {
		{0x0000ef53, "ext2/3/4"}, {0x58465342, "xfs"}, {0x9123683e, "btrfs"},
		{0x01021994, "tmpfs"}, {0x00006969, "nfs"}, {0x0bd00bd0, "lustre"},
		{0x47504653, "gpfs"}, {0x19830326, "beegfs"}, {0x00c36400, "ceph"},
		{0x65735546, "fuse"}, {0x794c7630, "overlayfs"}, {0x00009fa0, "proc"},
		{0x62656572, "sysfs"}, {0xff534d42, "cifs"}, {0xfe534d42, "smb2"},
		{0x2fc12fc1, "zfs"}, {0xf2f52010, "f2fs"}, {0x73717368, "squashfs"},
		{0x958458f6, "hugetlbfs"}, {0x01021997, "9p"}, {0x00004d44, "vfat"},
		{0xaad7aaea, "panfs"}, {0x20030528, "orangefs"}, {0x7461636f, "ocfs2"},
		{0x01161970, "gfs2"}, {0x5346414f, "afs"}, {0x00001373, "devfs"},
		{0x0027e0eb, "cgroup"}, {0x63677270, "cgroup2"}, {0x858458f6, "ramfs"},
		{0x2011bab0, "exfat"}, {0x5346544e, "ntfs"}, {0xe0f5e1e2, "erofs"},
		{0x19800202, "mqueue"}, {0x00001cd1, "devpts"}, {0x64626720, "debugfs"},
		{0x74726163, "tracefs"}, {0x73636673, "securityfs"}, {0xf97cff8c, "selinuxfs"},
		{0x28cd3d45, "cramfs"}, {0x0000f15f, "ecryptfs"}, {0x00009660, "isofs"},
		{0x15013346, "udf"}, {0x00003434, "nilfs2"}, {0x52654973, "reiserfs"},
		{0x3153464a, "jfs"}, {0x000072b6, "jffs2"}, {0x24051905, "ubifs"},
		{0x0000137f, "minix"}, {0x0000482b, "hfsplus"}, {0x00011954, "ufs"},
		{0x6c6f6f70, "binderfs"}, {0x50495045, "pipefs"}, {0x534f434b, "sockfs"},
		{0x09041934, "anon_inodefs"}, {0x6e736673, "nsfs"}, {0xcafe4a11, "bpf"},
		{0x62656570, "configfs"}, {0xde5e81e4, "efivarfs"}, {0x6165676c, "pstore"},
		{0x00000187, "autofs"}, {0x42494e4d, "binfmt_misc"}, {0x73757245, "coda"},
		{0x6b414653, "afs"}, {0x0000517b, "smb"}, {0x64646178, "dax"},
		{0x5a4f4653, "zonefs"}, {0x5345434d, "secretmem"}, {0x00c0ffee, "hostfs"},
		{0xabba1974, "xenfs"}, {0x65735543, "fusectl"}, {0x62646576, "bdevfs"},
		{0x07655821, "resctrl"}, {0x0000adff, "affs"}, {0xf995e849, "hpfs"},
		{0x7366746e, "ntfs3"}, {0xca451a4e, "bcachefs"}, {0x786f4256, "vboxsf"},
		{0xbacbacbc, "vmhgfs"},
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].type == type)
			return names[i].name;
	return NULL;
}

void iotr_define(struct iotr_log *log, uint32_t process, unsigned kind, const uint64_t *p, size_t n)
{
	bool ok = true;

	switch (kind) {
	case IOT_DEF_TIME:
		ok = n >= 4;
		if (ok)
			iotr_clock_anchor(log, &(struct iot_anchor){p[1], p[2], p[3]});
		break;
	case IOT_DEF_PATH:
		ok = define_path(log, p, n);
		break;
	case IOT_DEF_HANDLE:
		ok = define_handle(log, p, n);
		break;
	case IOT_DEF_STACK:
		ok = iotr_stack_define(log, p, n);
		break;
	case IOT_DEF_FRAMES:
		ok = iotr_frames_define(log, p, n);
		break;
	case IOT_DEF_CODE:
		ok = define_code(log, p, n);
		break;
	case IOT_DEF_MAP:
		ok = iotr_maps_add(log, process, p, n);
		break;
	case IOT_DEF_LOST:
		ok = define_lost(log, p, n);
		break;
	case IOT_DEF_RANK:
		ok = define_rank(log, p, n);
		break;
	case IOT_DEF_CLOCK:
		ok = n >= 3;
		if (ok)
			iotr_clock_sync(log, p[0], p[1]);
		break;
	case IOT_DEF_SUM:
		ok = iotr_sum_define(log, p, n);
		break;
	case IOT_DEF_DEVICE:
		ok = define_device(log, p, n);
		break;
	case IOT_DEF_LAYOUT:
		ok = define_layout(log, p, n);
		break;
	case IOT_DEF_PROCESS:
		ok = iotr_process_define(log, p, n);
		break;
	}
	if (!ok)
		iotr_say(log, IOTR_DAMAGE, "a definition of kind %u makes no sense", kind);
}

/* The most that names may grow to when they are made whole.  No true log has as much. */
#define MOST_NAMES (1ULL << 30)

/* Puts the directory's name before each name that is relative to it. */
static void paths_done(struct iotr_log *log)
{
	struct iotr_path_def *d, *rest = log->path_defs;

	log->path_defs = NULL;
	while ((d = rest)) {
		const struct iotr_path *dir =
			log->names < MOST_NAMES ? iotr_idmap_get(&log->path, d->dir) : NULL;
		size_t n = dir ? dir->len : 1;
		char *name;

		rest = d->next;
		if (!dir && log->live) {
			/* may still come */
			d->next = log->path_defs;
			log->path_defs = d;
			continue;
		}
		log->n_bad_refs += !dir;
		log->names += n;
		name = iotr_arena_alloc(&log->arena, n + 1 + d->path->len + 1);
		memcpy(name, dir ? dir->name : "?", n);
		name[n] = '/';
		memcpy(name + n + 1, d->path->name, d->path->len);
		d->path->name = name;
		d->path->len += n + 1;
	}
}

static void handles_done(struct iotr_log *log)
{
	struct iotr_handle_def *d, *rest = log->handle_defs;

	log->handle_defs = NULL;
	while ((d = rest)) {
		rest = d->next;
		if (d->path)
			d->handle.path = iotr_idmap_get(&log->path, d->path);
		if (d->path && !d->handle.path && log->live) {
			/* may still come */
			d->next = log->handle_defs;
			log->handle_defs = d;
		}
	}
}

void iotr_defines_done(struct iotr_log *log)
{
	paths_done(log);
	handles_done(log);
	iotr_maps_done(log);
	iotr_stacks_done(log);
}

struct iotr_path *iotr_log_path(const struct iotr_log *log, uint32_t id)
{
	return iotr_idmap_get(&log->path, id);
}

const struct iotr_handle *iotr_log_handle(const struct iotr_log *log, uint32_t id)
{
	return iotr_idmap_get(&log->handle, id);
}
