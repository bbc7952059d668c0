/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-own.h - what MPI does for itself: mpi-own.c. */
#ifndef IOT_MPI_OWN_H
#define IOT_MPI_OWN_H

#include "thread.h"

#pragma GCC visibility push(hidden)

/* Static executables have these if they have MPI: mpi/init.c sees to that. */
#if defined(IOT_DYNAMIC) || defined(IOT_WITH_MPI)
#define IOT_IF_MPI
#define IOT_HAS_MPI true
#else
#define IOT_IF_MPI __attribute__((weak))
#define IOT_HAS_MPI (iot_own_call != NULL)
#endif
IOT_IF_MPI bool iot_own_call(struct iot_thread *t, void *frame, uint32_t fd_flags);
IOT_IF_MPI void iot_own_inside(struct iot_thread *t, const struct iot_call *c);
IOT_IF_MPI void iot_own_made(struct iot_thread *t, const struct iot_desc *desc, const uint64_t *arg, int fd);
IOT_IF_MPI bool iot_own_count(struct iot_thread *t, const struct iot_call *c, uint64_t end, bool failed);

struct iot_own_code;
#ifdef IOT_DYNAMIC
extern const struct iot_own_code *iot_own_code;	/* NULL: there is none */
struct iot_own_code *iot_own_begin(void);
void iot_own_add(struct iot_own_code *code, uintptr_t from, uintptr_t to, const char *path);
void iot_own_end(struct iot_own_code *code);
#define IOT_OWN_CODE __atomic_load_n(&iot_own_code, __ATOMIC_RELAXED)
#else
#define IOT_OWN_CODE NULL
#endif

/* Most processes have no MPI. */
static inline bool iot_is_own(struct iot_thread *t, void *frame, uint32_t fd_flags)
{
	return iot_unlikely(IOT_HAS_MPI && (t->own || t->flags & IOT_BLOCK_MPI || IOT_OWN_CODE)) && iot_own_call(t, frame, fd_flags);
}

#pragma GCC visibility pop

#endif
