/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nftw.c - nftw, which may change the directory before it calls the program's
 * function.  Where libc's own calls are not seen, it is told that it did.
 */
#define _XOPEN_SOURCE 700
#include <ftw.h>

#include "paths.h"
#include "wrap.h"
#include "desc_nftw.h"

#pragma GCC visibility push(hidden)
typedef int nftw_fn(const char *, void *, int, int);
int iot_hand_nftw(nftw_fn *real, uint32_t internal, void *frame, const char *path, void *fn,
		  int nopenfd, int flags);
#pragma GCC visibility pop

typedef int visit_fn(const char *, const struct stat *, int, struct FTW *);

static __thread visit_fn *visitor __attribute__((tls_model("initial-exec")));

static int visit(const char *path, const struct stat *st, int type, struct FTW *level)
{
	iot_cwd_changed();
	return visitor(path, st, type, level);
}

int iot_hand_nftw(nftw_fn *real, uint32_t internal, void *frame, const char *path, void *fn,
		  int nopenfd, int flags)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uintptr_t)path, (uintptr_t)fn, (uint64_t)nopenfd, (uint64_t)flags };
	visit_fn *outer = visitor;
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(nftw), internal, -1, frame);
	int ret;

	if (iot_libc_unseen() && flags & FTW_CHDIR) {
		visitor = (visit_fn *)fn;
		ret = real(path, (void *)visit, nopenfd, flags);
		visitor = outer;
		iot_cwd_changed();
	} else {
		ret = real(path, fn, nopenfd, flags);
	}
	if (recorded)
		iot_leave(&c, ret, arg);
	return ret;
}
