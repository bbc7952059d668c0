/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - --iotrace-help, and what stands behind the compiler's own --help. */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "iocc.h"

static const char options[] =
	"  --iotrace-help           Print this, and nothing of the compiler's\n"
	"  --iotrace-show           Print the command, quoted for a shell, and do not run it\n"
	"  --iotrace-faults         Link into a static executable what IOTRACE_FAULTS needs\n"
	"  --iotrace-syscalls       Link into a static executable what IOTRACE_SYSCALLS needs\n"
	"\n"
	"Environment:\n";

void iot_print_help(void)
{
	printf("%s (" PACKAGE_NAME " " PACKAGE_VERSION ") runs %s, and adds what records the I/O of executables.\n"
	       "Its own options; all others are the compiler's:\n%s",
	       iot_self.name, iot_self.asked, options);
	if (iot_self.variable)
		printf("  %-24s The compiler that %s runs\n", iot_self.variable, iot_self.name);
	printf("  IOTRACE_WRAPPER=off      Run the compiler with nothing added\n"
	       "\n"
	       "The manual page iocc(1) says more%s.\n",
	       iot_self.driver == DRIVER_MPI ? ", and iompicc(1) what is about MPI" : "");
}

bool iot_is_help(const struct words *args)
{
	return !iot_self.masked && iot_has(args, "--help");
}

void iot_help(const struct words *args)
{
	pid_t child = fork();
	int status;

	if (child <= 0)
		iot_become(args);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			iot_die(126, "%s: %s", iot_self.path, strerror(errno));
	if (WIFSIGNALED(status))
		raise(WTERMSIG(status));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 126);
	putchar('\n');
	iot_print_help();
	_exit(fflush(stdout) ? 1 : 0);
}
