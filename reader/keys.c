/* SPDX-License-Identifier: BSD-3-Clause */
/* keys.c - what the header text of a log says, by keys. */
#include "config.h"

#include <string.h>

#include "schema.h"

const char *iotr_log_key(const struct iotr_log *log, const char *key, size_t *len)
{
	size_t i;

	for (i = 0; i < log->keys.n; i++) {
		if (!strcmp(log->keys.key[i].key, key)) {
			if (len)
				*len = log->keys.key[i].len;
			return log->keys.key[i].value;
		}
	}
	return NULL;
}

bool iotr_log_key_at(const struct iotr_log *log, size_t n, const char **key, const char **value,
		     size_t *len)
{
	const struct iotr_keys *keys = &log->keys;

	if (n >= keys->n) {
		n -= keys->n;
		keys = &log->calls->keys;
	}
	if (n >= keys->n)
		return false;
	if (key)
		*key = keys->key[n].key;
	if (value)
		*value = keys->key[n].value;
	if (len)
		*len = keys->key[n].len;
	return true;
}
