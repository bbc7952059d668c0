/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace-ctl - switches the recording of a running program off and on.
 *
 * A word in the header of the log says so, which the recorder has in its memory and looks
 * at in each call.  Nothing is sent to the program, and no right is needed but that of
 * writing its log.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "../common/message.h"
#include "../common/option.h"
#include "find.h"
#include "iotrace-format.h"

const char *argp_program_version = "iotrace-ctl (" PACKAGE_NAME ") " PACKAGE_VERSION;

static const struct argp argp = {
	.args_doc = "PID on|off|status",
	.doc = "Switch the recording of a running program off and on.\v"
	       "The command holds for all processes that write the log of process PID.\n\n"
	       "Exit status: 0 if all is well, 2 if there is no such log, or you may not write it.",
};

enum command { ON, OFF, STATUS };

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void put_seconds(uint64_t ns)
{
	printf("%" PRIu64 ".%03" PRIu64 " s", ns / 1000000000, ns / 1000000 % 1000);
}

static void switch_to(struct iot_file_header *h, bool off)
{
	if (off == !!h->off)
		return;
	/* off first: whoever opens the gate looks at that behind it */
	if (!off)
		h->off_ns += now() - h->off_since;
	__atomic_store_n(&h->off, off, __ATOMIC_SEQ_CST);
	__atomic_store_n(&h->gate, off ? 0 : h->open_gate, __ATOMIC_SEQ_CST);
	if (off) {
		h->off_since = now();
		h->n_off++;
	}
}

static void print_status(const struct iot_file_header *h, const char *pid, const char *path)
{
	uint64_t off_ns = h->off_ns + (h->off ? now() - h->off_since : 0);

	printf("%s: recording is %s", pid, h->off ? "off" : "on");
	if (h->off) {
		printf(" for ");
		put_seconds(now() - h->off_since);
	}
	if (h->n_off > h->off) {
		printf(", was off %" PRIu32 " time%s, ", h->n_off, h->n_off == 1 ? "" : "s");
		put_seconds(off_ns);
	}
	printf(", in %s\n", path);
}

static struct iot_file_header *map_header(const struct ctl_log *log)
{
	struct iot_file_header *h = MAP_FAILED;
	struct stat st;

	if (!fstat(log->fd, &st) && st.st_size >= IOT_HEADER_SIZE)
		h = mmap(NULL, IOT_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, log->fd, 0);
	if (h == MAP_FAILED || memcmp(h->magic, IOT_MAGIC, sizeof(h->magic)) != 0 ||
	    h->byte_order != IOT_BYTE_ORDER || h->version != IOT_FORMAT_VERSION)
		iot_die("%s: is no log of this version", log->path);
	return h;
}

int main(int argc, char **argv)
{
	static const char *const commands[] = {[ON] = "on", [OFF] = "off", [STATUS] = "status", NULL};
	int at = iot_options_parse(&argp, argc, argv, 0, NULL);
	struct iot_file_header *h;
	enum command command;
	const char *pid;
	struct ctl_log log;

	if (argc - at < 2)
		iot_die("give a process and what to do: PID on|off|status");
	if (argc - at > 2)
		iot_die("%s: too many arguments", argv[at + 2]);
	pid = argv[at];
	if (pid[strspn(pid, "0123456789")] || !*pid || strlen(pid) > 10)
		iot_die("%s: is no process id", pid);
	command = iot_option_choice(pid, argv[at + 1], commands);
	ctl_find(pid, &log);
	/* one at a time; the recorder stores nothing there */
	flock(log.fd, LOCK_EX);
	h = map_header(&log);
	if (command == STATUS)
		print_status(h, pid, log.path);
	else
		switch_to(h, command == OFF);
	if (fflush(stdout))
		iot_die("standard output: %s", strerror(errno));
	return EXIT_SUCCESS;
}
