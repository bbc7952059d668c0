/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc.h - the few things that the recorder knows of libc's insides: functions
 * that would tell them may lock, set errno, or be wrapped.
 */
#ifndef IOT_LIBC_H
#define IOT_LIBC_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __GLIBC__

/* -1 for streams that have no descriptor. */
static inline int iot_fileno(const FILE *fp)
{
	return fp && fp->_fileno >= 0 ? fp->_fileno : -1;
}

static inline bool iot_ferror(const FILE *fp)
{
	return fp->_flags & 0x20;	/* _IO_ERR_SEEN */
}

/* A FILE that sprintf and its kin made up to format into memory. */
static inline bool iot_is_strbuf(const FILE *fp)
{
	return !fp->_lock;
}

static inline int iot_dirfd(const void *dirp)
{
	return dirp ? *(const int *)dirp : -1;
}

#else
#error "which libc is this?"
#endif

static inline const char *iot_entry_name(const void *entry)
{
	return entry ? ((const struct dirent *)entry)->d_name : NULL;
}

#endif
