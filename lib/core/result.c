/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c - what a result means: failure or not, and what the log says for it. */
#include "result.h"

#include "desc.h"
#include "fetch.h"
#include "libc.h"

#include <stdio.h>
#include <string.h>

bool iot_failed(const struct iot_desc *desc, long ret)
{
	switch ((enum iot_result)desc->result) {
	case IOT_R_FILE:
	case IOT_R_DIR:
	case IOT_R_PTR:
	case IOT_R_TEXT:
	case IOT_R_WTEXT:
	case IOT_R_CWD:
		return !ret;
	case IOT_R_ERRCODE:
		return ret != 0;
	case IOT_R_PROGRESS:
		return ret != 0 && ret != EINPROGRESS;
	case IOT_R_BYTES:
	case IOT_R_COUNT:
	case IOT_R_POS:
	case IOT_R_MAP:
		return ret == -1;
	case IOT_R_FD:
	case IOT_R_STATUS:
	case IOT_R_EOF:
	case IOT_R_NONNEG:
	case IOT_R_CHAR:
	case IOT_R_CHARS:
	case IOT_R_PID:
	case IOT_R_NEGATIVE:
		return (int)ret < 0;
	default:
		return false;
	}
}

static uint64_t wide_len(const wchar_t *s)
{
	uint64_t n = 0;

	while (s[n])
		n++;
	return n;
}

/* The kernel has written the name, and another thread may have unmapped it. */
static uint64_t cwd_size(const char *s)
{
	char part[64];			/* in no two pages */

	if (!iot_has_threads)
		return strlen(s) + 1;
	for (uint64_t len = 0;;) {
		size_t n = sizeof(part) - (uintptr_t)(s + len) % sizeof(part);
		const char *end;

		if (!iot_fetch(part, s + len, n))
			return len;
		end = memchr(part, 0, n);
		if (end)
			return len + (uint64_t)(end - part) + 1;
		len += n;
	}
}

/* What the log says for a result. */
uint64_t iot_result_value(const struct iot_desc *desc, long ret, bool failed)
{
	switch ((enum iot_result)desc->result) {
	case IOT_R_FILE:
		return failed ? ~0ULL : (uint64_t)(long)iot_fileno((FILE *)ret);
	case IOT_R_DIR:
		return failed ? ~0ULL : (uint64_t)(long)iot_dirfd((void *)ret);
	case IOT_R_TEXT:
		return failed ? ~0ULL : strlen((char *)ret);
	case IOT_R_WTEXT:
		return failed ? ~0ULL : wide_len((const wchar_t *)ret);
	case IOT_R_CWD:
		return failed ? ~0ULL : cwd_size((const char *)ret);
	case IOT_R_DIRENT:
		return ret != 0;
	case IOT_R_NEGATIVE:
		return failed ? ~0ULL : (uint64_t)(long)(int)ret;
	case IOT_R_ERRCODE:
	case IOT_R_PROGRESS:
	case IOT_R_FD:
	case IOT_R_STATUS:
	case IOT_R_EOF:
	case IOT_R_NONNEG:
	case IOT_R_CHAR:
	case IOT_R_CHARS:
	case IOT_R_PID:
	case IOT_R_MASK:
		return (uint64_t)(long)(int)ret;
	default:
		return (uint64_t)ret;
	}
}

/* stdio's results are errors only if the stream says so: EOF is none. */
int iot_stream_error(const struct iot_desc *desc, const uint64_t *arg, int err)
{
	if (desc->family != IOT_STDIO || desc->result == IOT_R_FILE || desc->result == IOT_R_EOF ||
	    desc->result == IOT_R_STATUS || desc->effect == IOT_E_CLOSE)
		return err;
	for (uint32_t i = 0; i < desc->n; i++) {
		struct iot_file there;

		/* some calls fail before libc looks at the stream */
		if (desc->kind[i] == IOT_K_FILE && iot_fetch(&there, (const void *)arg[i], sizeof(there)))
			return iot_ferror((const FILE *)(const void *)&there) ? err : 0;
	}
	return err;
}
