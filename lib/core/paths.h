/* SPDX-License-Identifier: BSD-3-Clause */
/* paths.h - names of files as the log has them, each once: paths.c. */
#ifndef IOT_PATHS_H
#define IOT_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "log-share.h"

struct iot_thread;

#pragma GCC visibility push(hidden)

struct iot_path {
	uint32_t id;			/* 0: the table is full, write the name inline */
	uint32_t flags;			/* IOT_FD_UNTRACED, IOT_FD_NOSTACK */
	uint32_t mode;			/* st_mode, 0 = not known */
	uint32_t name;			/* number of its text, if there is an id */
};
#define IOT_NAMES 8192u			/* bytes of a chunk: more than the longest has */
#define IOT_NAME_BELOW 0x80000000u	/* its text is what comes behind its directory's */
extern char *iot_names[];
uint32_t iot_path_length(uint32_t name);
bool iot_path_ends(uint32_t name, const char *end, uint32_t len);
static inline const char *iot_path_text(uint32_t name)
{
	return iot_names[name / IOT_NAMES] + name % IOT_NAMES;
}
uint32_t iot_path_absolute(struct iot_thread *t, char *buf, int dirfd, const char *path);
struct iot_path iot_path_intern(struct iot_thread *t, const char *abs, uint32_t len, int fd);
uint32_t iot_name_intern(struct iot_thread *t, const char *name);
/* A text that never changes, with the id that it has. */
struct iot_kept {
	uint64_t known;			/* iot_paths_forgotten << 32 | id; to begin with 0 */
	const char *text;
};
extern uint32_t iot_paths_forgotten;	/* how often: what was known before is no more */
uint32_t iot_kept_look_up(struct iot_thread *t, struct iot_kept *kept);
/* The id, if it has been looked up; or 0. */
static inline uint32_t iot_kept_known(const struct iot_kept *kept)
{
	uint64_t known = __atomic_load_n(&kept->known, __ATOMIC_RELAXED);

	return known >> 32 == iot_paths_forgotten ? (uint32_t)known : 0;
}
/* The id, which is looked up once; 0: no room, write the text inline. */
static inline uint32_t iot_kept_id(struct iot_thread *t, struct iot_kept *kept)
{
	uint32_t id = iot_kept_known(kept);

	return id ? id : iot_kept_look_up(t, kept);
}
#define IOT_NAME_MAX 2000u		/* as much of a text as is recorded */
/* Another number whenever the working directory, or its name, may have changed. */
extern uint32_t iot_cwd_changes;
static inline uint32_t iot_cwd_serial(void)
{
	return __atomic_load_n(&iot_cwd_changes, __ATOMIC_ACQUIRE) +
	       (iot_share ? __atomic_load_n(&iot_share->renamed, __ATOMIC_ACQUIRE) : 0);
}
uint32_t iot_path_of_fd(int fd, char *buf);
/* While it is the one that names are relative to: nobody can ask for it later. */
void iot_cwd_look(struct iot_thread *t);
void iot_cwd_changed(void);
void iot_cwd_renamed(void);
void iot_paths_forget(void);
void iot_paths_forked(void);

#pragma GCC visibility pop

#endif
