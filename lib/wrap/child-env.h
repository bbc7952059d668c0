/* SPDX-License-Identifier: BSD-3-Clause */
/* child-env.h - the environment that programs are run with: ours may be wanted. */
#ifndef IOT_CHILD_ENV_H
#define IOT_CHILD_ENV_H

#include <alloca.h>
#include <stddef.h>

#include "libc.h"

#pragma GCC visibility push(hidden)

/* How many bytes the environment takes that is passed on in place of env; 0: env
   itself will do. */
size_t iot_child_env_size(char **env);
char **iot_child_env(char **env, void *room, size_t size);

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
#define IOT_CHILD_ENV(env)                                                                 \
	__extension__({                                                                    \
		char **env_ = (char **)(env);                                              \
		size_t size_ = iot_child_env_size(env_);                                   \
                                                                                           \
		size_ ? iot_child_env(env_, alloca(size_), size_) : env_;                  \
	})

#endif
