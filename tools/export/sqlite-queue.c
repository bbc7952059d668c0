/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite-queue.c - rows that wait until they are in the database.
 *
 * While calls are read, a thread of its own inserts the rows that come of them, in their order, so
 * that reading and inserting use two processors.  Only that thread uses the database then.  Rows
 * are packed into blocks: the literals of the statement and of its types, then the values.
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>

#include "sqlite.h"

#define BLOCK (1 << 18) /* bytes; what comes then begins another one */
#define BLOCKS 8

static struct block {
	char *bytes;
	size_t len, cap;
} blocks[BLOCKS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t writer;
/* These are read and changed with the lock: so many blocks were filled and written; all are filled;
   the rest is not to be written. */
static size_t filled, written;
static bool all_filled, dropped;
static bool running, alone; /* of the thread that fills blocks; alone: it writes them as well */
static queue_put_fn *put;

/* ---- the thread that writes ---- */

static bool write_block(const struct block *b)
{
	const char *at = b->bytes, *end = b->bytes + b->len;

	while (at < end) {
		at = put(at, end);
		if (!at)
			return false;
	}
	return true;
}

static void *write_all(void *unused)
{
	bool well;

	pthread_mutex_lock(&lock);
	for (;;) {
		while (written == filled && !all_filled && !dropped)
			pthread_cond_wait(&changed, &lock);
		if (written == filled || dropped)
			break;
		pthread_mutex_unlock(&lock);
		well = write_block(&blocks[written % BLOCKS]);
		pthread_mutex_lock(&lock);
		written++;
		dropped |= !well;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

/* ---- the thread that reads calls ---- */

/* The block that is filled, with room for so many bytes more. */
static char *room(size_t n)
{
	struct block *b = &blocks[filled % BLOCKS];

	if (b->len + n > b->cap) {
		b->cap = 2 * b->cap + n + BLOCK;
		b->bytes = realloc(b->bytes, b->cap);
		if (!b->bytes)
			iot_no_memory();
	}
	b->len += n;
	return b->bytes + b->len - n;
}

static void add_bytes(const char *bytes, size_t len)
{
	const size_t padded = bytes ? (len + 7) / 8 * 8 : 0;
	const int64_t n = bytes ? (int64_t)len : -1;

	memcpy(room(sizeof(n)), &n, sizeof(n));
	if (len && bytes)
		memcpy(room(padded), bytes, len);
}

/* False: the database failed, and the thread that writes has ended. */
static bool hand_over(void)
{
	bool failed;

	if (alone) {
		dropped |= !write_block(&blocks[filled % BLOCKS]);
		blocks[filled % BLOCKS].len = 0;
		return !dropped;
	}
	pthread_mutex_lock(&lock);
	filled++;
	pthread_cond_broadcast(&changed);
	while (filled - written == BLOCKS && !dropped)
		pthread_cond_wait(&changed, &lock);
	failed = dropped;
	pthread_mutex_unlock(&lock);
	blocks[filled % BLOCKS].len = 0;
	if (failed)
		iot_db_queue_drop();
	return !failed;
}

static enum queue_says begin_row(const char *sql, const char *types)
{
	const struct queued row = {sql, types};

	if (!running)
		return QUEUE_IS_NONE;
	if (blocks[filled % BLOCKS].len >= BLOCK && !hand_over())
		return QUEUE_FAILED;
	memcpy(room(sizeof(row)), &row, sizeof(row));
	return QUEUE_TAKES;
}

enum queue_says iot_db_queue_numbers(const char *sql, const int64_t *v, size_t n)
{
	enum queue_says says = begin_row(sql, NULL);

	if (says == QUEUE_TAKES)
		memcpy(room(n * sizeof(*v)), v, n * sizeof(*v));
	return says;
}

enum queue_says iot_db_queue(const char *sql, const char *types, va_list ap)
{
	enum queue_says says = begin_row(sql, types);
	const char *s;
	int64_t n;

	if (says != QUEUE_TAKES)
		return says;
	for (; *types; types++)
		if (*types == 'i') {
			n = va_arg(ap, int64_t);
			memcpy(room(sizeof(n)), &n, sizeof(n));
		} else {
			s = va_arg(ap, const char *);
			add_bytes(s, *types == 'b' ? va_arg(ap, size_t) : s ? strlen(s) : 0);
		}
	return QUEUE_TAKES;
}

void iot_db_queue_begin(queue_put_fn *function)
{
	put = function;
	running = true;
	alone = pthread_create(&writer, NULL, write_all, NULL) != 0;
}

/* how: all_filled or dropped. */
static void join(bool *how)
{
	if (!running)
		return;
	running = false;
	if (alone)
		return;
	pthread_mutex_lock(&lock);
	*how = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(writer, NULL);
}

void iot_db_queue_drop(void)
{
	join(&dropped);
}

bool iot_db_queue_end(void)
{
	size_t i;

	if (!running)
		return true;
	if (hand_over())
		join(&all_filled);
	for (i = 0; i < BLOCKS; i++)
		free(blocks[i].bytes);
	return !dropped;
}
