/* SPDX-License-Identifier: BSD-3-Clause */
/* child-env.h - the environment that programs are run with: ours may be wanted. */
#ifndef IOT_CHILD_ENV_H
#define IOT_CHILD_ENV_H

#include <alloca.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libc.h"

#pragma GCC visibility push(hidden)

/* What is passed on in place of an environment of the program's, as it was when it was looked
   at: other threads may change it, or unmap it. */
struct iot_env_plan {
	char **env;
	size_t size;			/* bytes of room that it takes; 0: env itself will do */
	uint32_t n;			/* entries in env */
	uint32_t missing;		/* bit i: the setting with that number */
	bool has_list;			/* it has a list of libraries to load, */
	const char *list;		/* which lacks ours, if it is here */
	size_t list_size;		/* of what follows the =, with the 0 at its end */
};
struct iot_env_plan iot_child_env_plan(char **env);
char **iot_child_env(const struct iot_env_plan *plan, void *room);

/* What a shell is to run, so that what it runs has ours: command itself, if it will have. */
struct iot_child_command {
	char *text;			/* NULL: there is none but the program's */
	size_t size;
};
const char *iot_child_command(struct iot_child_command *made, const char *command);
void iot_child_command_done(struct iot_child_command *made);
#define IOT_CHILD_COMMAND_CLEANUP __attribute__((cleanup(iot_child_command_done)))

#pragma GCC visibility pop

/* What to pass on; lives as long as the function that says this. */
#define IOT_CHILD_ENV(given)                                                               \
	__extension__({                                                                    \
		struct iot_env_plan plan_ = iot_child_env_plan((char **)(given));          \
                                                                                           \
		plan_.size ? iot_child_env(&plan_, alloca(plan_.size)) : plan_.env;        \
	})

/* ret is of a function that runs a program: its arguments and environment were too large. */
static inline bool iot_is_too_large(long ret)
{
	return ret == E2BIG || (ret == -1 && errno == E2BIG);
}

/* A call that passes env on; once more with the one that was given, if ours was too large. */
#define IOT_FITTING(env, given, call)                                                      \
	__extension__({                                                                    \
		int ret_ = call;                                                           \
                                                                                           \
		if (iot_is_too_large(ret_) && (env) != (char **)(given)) {                 \
			(env) = (char **)(given);                                          \
			ret_ = call;                                                       \
		}                                                                          \
		ret_;                                                                      \
	})

#endif
