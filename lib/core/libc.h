/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc.h - the few things that the recorder knows of libc's insides: functions
 * that would tell them may lock, set errno, be wrapped, or be the program's own.
 */
#ifndef IOT_LIBC_H
#define IOT_LIBC_H

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What libc itself calls the environment.  A program can have another variable of the
   name environ, or a function. */
extern char **__environ __attribute__((visibility("default")));

/* errno as libc's own functions find it: __errno_location may be the program's. */
int *iot_errno_location(void) __attribute__((visibility("hidden")));	/* host.c */
#undef errno
#define errno (*iot_errno_location())

/* What libc itself would read at once, and is to fault as it should.  No object is so near
   to address 0, from either side. */
static inline bool iot_is_no_object(const void *p)
{
	return (uintptr_t)p + 4096 <= 8192;
}

#ifdef __GLIBC__

/* Whether libc's functions use each other by the names that programs use. */
#define IOT_LIBC_BY_NAME false

/* as much of a FILE as is looked at here */
#define iot_file _IO_FILE

/* -1 for streams that have no descriptor: open_memstream's have anything there. */
static inline int iot_fileno(const FILE *fp)
{
	return !iot_is_no_object(fp) && fp->_flags & 0x2000 /* _IO_IS_FILEBUF */ && fp->_fileno >= 0 ? fp->_fileno : -1;
}

static inline bool iot_ferror(const FILE *fp)
{
	return fp->_flags & 0x20;	/* _IO_ERR_SEEN */
}

/* A FILE that sprintf and its kin made up to format into memory. */
static inline bool iot_is_strbuf(const FILE *fp)
{
	return !iot_is_no_object(fp) && !fp->_lock;
}

static inline int iot_dirfd(const void *dirp)
{
	return iot_is_no_object(dirp) ? -1 : *(const int *)dirp;
}

/* 0: what all threads have. */
static inline size_t iot_attr_stack_size(const pthread_attr_t *attr)
{
	return ((const size_t *)(const void *)attr)[4];
}

#ifndef IOT_DYNAMIC
static inline const uint64_t *iot_libc_auxv(void)
{
	extern const uint64_t *_dl_auxv __attribute__((visibility("hidden")));

	return _dl_auxv;
}
#endif

#elif defined(IOT_MUSL)

#define IOT_LIBC_BY_NAME true
#define iot_file iot_musl_file

#undef getdents64
#undef freopen64

/* musl keeps these to itself; configure has looked whether it is so (m4/iotrace.m4). */
struct iot_musl_file {
	unsigned int flags;
	unsigned char *rpos, *rend;
	int (*close)(FILE *);
	unsigned char *wend, *wpos, *mustbezero, *wbase;
	size_t (*read)(FILE *, unsigned char *, size_t);
	size_t (*write)(FILE *, const unsigned char *, size_t);
	off_t (*seek)(FILE *, off_t, int);
	unsigned char *buf;
	size_t buf_size;
	FILE *prev, *next;
	int fd, pipe_pid;
};
#define IOT_MUSL_ERR 32u
#define IOT_MUSL_SVB 64u	/* setvbuf was called */

struct iot_musl_dir {
	int64_t tell;
	int fd, pos, end;
};

static inline const struct iot_musl_file *iot_musl_file(const FILE *fp)
{
	return (const struct iot_musl_file *)(const void *)fp;
}

static inline int iot_fileno(const FILE *fp)
{
	return !iot_is_no_object(fp) && iot_musl_file(fp)->fd >= 0 ? iot_musl_file(fp)->fd : -1;
}

static inline bool iot_ferror(const FILE *fp)
{
	return iot_musl_file(fp)->flags & IOT_MUSL_ERR;
}

/* sprintf's and sscanf's have nothing to close; nor has dprintf's, but that call's
   own record stands for what it does. */
static inline bool iot_is_strbuf(const FILE *fp)
{
	return !iot_is_no_object(fp) && !iot_musl_file(fp)->close;
}

static inline int iot_dirfd(const void *dirp)
{
	return iot_is_no_object(dirp) ? -1 : ((const struct iot_musl_dir *)dirp)->fd;
}

static inline size_t iot_attr_stack_size(const pthread_attr_t *attr)
{
	return attr->__u.__s[0];
}

static inline const uint64_t *iot_libc_auxv(void)
{
	extern const uint64_t *const __libc[] __attribute__((visibility("hidden")));

	return __libc[1];
}

#else
#error "which libc is this?"
#endif

static inline const char *iot_entry_name(const void *entry)
{
	return entry ? ((const struct dirent *)entry)->d_name : NULL;
}

#endif
