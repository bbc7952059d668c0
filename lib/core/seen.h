/* SPDX-License-Identifier: BSD-3-Clause */
/* seen.h - which of the calls that libc makes within a call are seen, and what follows for it. */
#ifndef IOT_SEEN_H
#define IOT_SEEN_H

#include "desc.h"
#include "state.h"

#ifdef IOT_DYNAMIC
#define IOT_LIBC_OPAQUE true	/* calls that libc makes itself have no wrappers */
#else
#define IOT_LIBC_OPAQUE false
#endif

/* What libc does within a call is not seen. */
static inline bool iot_libc_unseen(void)
{
	return IOT_LIBC_OPAQUE && !iot_dispatching;
}

/* Whether what it moves beneath is to be inferred. */
static inline bool iot_infers(const struct iot_desc *desc)
{
	return iot_libc_unseen() && desc->stream && iot_families >> IOT_POSIX & 1;
}

/* Whether it moves the offset of its descriptor by what it returns. */
static inline bool iot_moves(const struct iot_desc *desc)
{
	return desc->flags & IOT_D_SEQ || (desc->stream == IOT_S_DIRECT && iot_libc_unseen());
}

/* What a call does to descriptors, as far as that is not left to a call within. */
static inline enum iot_effect iot_effect(const struct iot_desc *desc)
{
	return desc->flags & IOT_D_OUTER && !iot_libc_unseen() ? IOT_E_NONE : (enum iot_effect)desc->effect;
}

#endif
